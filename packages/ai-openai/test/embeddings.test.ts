import type { ServerResponse } from "node:http";
import { LLMock } from "@copilotkit/aimock";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex, type EmbeddingModel, operator } from "@telex/core";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createManualClock } from "@telex/conformance/testing";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it, onTestFinished } from "vitest";
import { createOpenAiEmbeddingModels, type OpenAiOptions, openAiModels } from "../src/index.ts";
import { causeOf, flood, servePeer } from "./peer.ts";

const embeddingModels = [{ name: "small", model: "text-embedding-3-small", inputTokens: 100 }];

function modelOf(baseUrl: string, options: Partial<OpenAiOptions> = {}): EmbeddingModel {
  const model = createOpenAiEmbeddingModels({ baseUrl, embeddingModels, retries: 0, ...options }).get("small");
  if (model === undefined) throw new Error("a model was named");
  return model;
}

const embed = (model: EmbeddingModel, inputs: readonly (string | number[])[] = ["a", "b"], dimensions?: number) =>
  model.embed({ inputs, dimensions, signal: new AbortController().signal });

const answering = (res: ServerResponse): ServerResponse => res.writeHead(200, { "content-type": "application/json" });

const base64 = (numbers: number[]): string => Buffer.from(Float32Array.from(numbers).buffer).toString("base64");

const serveData = (data: unknown, more: object = {}) =>
  servePeer((res) => answering(res).end(JSON.stringify({ object: "list", data, ...more })));

async function startMock(): Promise<LLMock> {
  const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
  await mock.start();
  onTestFinished(() => mock.stop());
  return mock;
}

describe("a foreign service with embeddings", () => {
  it("gets texts and tokens, with its own name of the model, and gives a vector for each", async () => {
    const mock = await startMock();
    mock.onEmbedding("one", { embedding: [0.5, -0.25, 1] });
    const { vectors, usage } = await embed(modelOf(`${mock.url}/v1`), ["one", "two"]);
    expect(vectors.map((vector) => [...vector])).toEqual([
      [0.5, -0.25, 1],
      [0.5, -0.25, 1],
    ]);
    expect(usage.promptTokens).toBeGreaterThanOrEqual(0);
    expect(mock.getLastRequest()?.body).toMatchObject({ model: "text-embedding-3-small" });
    expect((await embed(modelOf(`${mock.url}/v1`), [[1, 2, 3]], 8)).vectors[0]).toHaveLength(8);
  });

  it("is asked again if it is overloaded, and not if it refuses", async () => {
    const mock = await startMock();
    mock.onEmbedding("x", { embedding: [1] });
    mock.nextRequestError(503, { message: "overloaded" });
    const model = modelOf(`${mock.url}/v1`, { retries: 1 });
    expect((await embed(model, ["x"])).vectors).toHaveLength(1);
    mock.onEmbedding("no", { error: { message: "no", type: "invalid_request_error" }, status: 400 });
    expect(await causeOf(embed(model, ["no"]))).toEqual([
      "invalid_request",
      "The AI service answered 400 (type invalid_request_error).",
    ]);
    expect(mock.getRequests()).toHaveLength(3);
  });
});

describe("a service with embeddings", () => {
  it("is asked for base64, and may send it or lists, in any order, with its usage", async () => {
    const data = [
      { index: 1, embedding: [3, 4] },
      { index: 0, embedding: base64([1, 2]) },
    ];
    const peer = await serveData(data, { usage: { prompt_tokens: 7, total_tokens: 7 } });
    const { vectors, usage } = await embed(modelOf(peer.url), ["a", [5, 6]], 2);
    expect(vectors).toEqual([Float32Array.of(1, 2), Float32Array.of(3, 4)]);
    expect(usage).toEqual({ promptTokens: 7, estimated: false });
    expect(JSON.parse(peer.bodies[0] ?? "")).toEqual({
      model: "text-embedding-3-small",
      input: ["a", [5, 6]],
      encoding_format: "base64",
      dimensions: 2,
    });
  });

  it.each([[undefined], [{ prompt_tokens: -1 }], [{ prompt_tokens: 1e12 }], [{ prompt_tokens: "3" }]])(
    "that reports the usage %j has it counted here",
    async (usage) => {
      const peer = await serveData([{ embedding: [1] }, { embedding: [2] }], { usage });
      const { usage: counted } = await embed(modelOf(peer.url), ["a word", [1, 2, 3]]);
      expect(counted).toEqual({ promptTokens: 5, estimated: true });
    },
  );

  it.each([
    ["no vectors", undefined, "a response without vectors"],
    ["too few vectors", [{ embedding: [1] }], "1 vectors for 2 texts"],
    ["too many vectors", [{ embedding: [1] }, { embedding: [1] }, { embedding: [1] }], "3 vectors for 2 texts"],
    [
      "two vectors for one text",
      [
        { index: 0, embedding: [1] },
        { index: 0, embedding: [1] },
      ],
      "no vector for the text 1",
    ],
    ["an empty vector", [{ embedding: [] }, { embedding: [] }], "a vector of 0 numbers"],
    [
      "a vector that is too long",
      [{ embedding: Array(16_385).fill(0) }, { embedding: [1] }],
      "a vector of 16385 numbers",
    ],
    ["half a number", [{ embedding: "AAAA" }, { embedding: "AAAA" }], "a vector that is not base64 of 32-bit numbers"],
    ["texts for numbers", [{ embedding: ["1"] }, { embedding: [1] }], "a vector that is not a list of numbers"],
    ["null for a number", [{ embedding: [null] }, { embedding: [1] }], "a vector that is not a list of numbers"],
  ])("that sends %s fails", async (_, data, what) => {
    const peer = await serveData(data);
    expect(await causeOf(embed(modelOf(peer.url)))).toEqual(["ai_unavailable", `The AI service sent ${what}.`]);
  });

  it("that never ends is cut off at the size that the vectors can have", async () => {
    const peer = await servePeer((res, own) => flood(answering(res), own, `[${"0,".repeat(1000)}`));
    expect(await causeOf(embed(modelOf(peer.url)))).toEqual([
      "ai_unavailable",
      "The AI service sent a response that is too large.",
    ]);
    await peer.left;
  });

  it("that sends very many values instead of vectors has none of them parsed", async () => {
    const peer = await serveData(Array.from({ length: 200_000 }, () => ({})));
    expect(await causeOf(embed(modelOf(peer.url)))).toEqual([
      "ai_unavailable",
      "The AI service sent a response that is too large.",
    ]);
  });

  it("that says nothing, or stops in the middle of its body, is given up in time", async () => {
    for (const begun of [false, true]) {
      const clock = createManualClock(0);
      const peer = await servePeer((res) => begun && answering(res).write('{"data":['));
      const failure = causeOf(embed(modelOf(peer.url, { clock })));
      await expect.poll(() => peer.state.asked).toBe(1);
      await clock.advance(120_000);
      expect(await failure).toEqual(["ai_unavailable", "The AI service does not continue."]);
      await peer.left;
    }
  });

  it.each([
    [
      "a page",
      (res: ServerResponse) => res.writeHead(200, { "content-type": "text/html" }).end("<p>"),
      /did not answer/,
    ],
    ["no JSON", (res: ServerResponse) => answering(res).end("{nonsense"), /not JSON/],
    ["a broken body", (res: ServerResponse) => answering(res).write("{", () => res.socket?.destroy()), /connection/],
  ])("that answers %s fails", async (_, answer, message) => {
    const peer = await servePeer(answer);
    expect(await causeOf(embed(modelOf(peer.url)))).toEqual(["ai_unavailable", expect.stringMatching(message)]);
  });

  it("is let go of when nobody wants the vectors any more", async () => {
    const peer = await servePeer(() => {});
    const stop = new AbortController();
    const call = modelOf(peer.url).embed({ inputs: ["a"], signal: stop.signal });
    await expect.poll(() => peer.state.asked).toBe(1);
    stop.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
    await peer.left;
  });

  it.each([
    ["NaN", [Number.NaN]],
    ["an infinite number", [Number.POSITIVE_INFINITY]],
  ])("that sends %s in base64 costs nothing, and its vectors go to nobody", async (_, numbers) => {
    const peer = await serveData([{ embedding: base64(numbers) }]);
    const telex = await createTelex({
      storage: createMemoryStorage(),
      blobs: createMemoryBlobs(),
      images: createSharpEngine(),
      plugins: [openAiModels({ baseUrl: peer.url, embeddingModels, retries: 0 })],
    });
    onTestFinished(() => telex.close());
    const { id } = await telex.operator.users.add(operator, { nickname: "Alice" });
    const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
    const alice = await telex.authenticate(token);
    const failure = await causeOf(telex.ai.embed(alice, { model: "small", input: ["a"] }));
    expect(failure).toEqual(["ai_unavailable", "The model gave a vector with a number that is not finite."]);
    expect(await telex.ai.quota(alice, {})).toMatchObject({ messageCount: 0, tokenCount: 0 });
  });
});

describe("options of embedding models", () => {
  it.each([[{ name: "" }], [{ name: "a", inputTokens: 0 }], [{ name: "a", inputTokens: 1.5 }]])(
    "refuse %j",
    (wrong) => {
      const options = { baseUrl: "https://api.example/v1", embeddingModels: [wrong] };
      expect(() => createOpenAiEmbeddingModels(options)).toThrow(TypeError);
    },
  );
});
