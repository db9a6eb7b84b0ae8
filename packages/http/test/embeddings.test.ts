import { type EmbeddingModel, operator, TelexError } from "@telex/core";
import { expect, it } from "vitest";
import { createEmbeddingModel, createStuckEmbeddingModel } from "./models.ts";
import { clientOf } from "./openai-client.ts";
import { overBothTransports, type Setup } from "./setup.ts";

const assign = ({ telex, alice }: Setup, unit: "count" | "token", max: number) =>
  telex.operator.quota.assign(operator, { userId: alice.id, unit, max, period: "daily" });

async function used({ telex, alice }: Setup): Promise<number[]> {
  const { messageCount, tokenCount } = await telex.ai.quota(await telex.authenticate(alice.token), {});
  return [messageCount, tokenCount];
}

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "it succeeded",
    (error: unknown) => error,
  );

/** An instance whose model `odd` does this. */
const odd = (embed: EmbeddingModel["embed"]) => ({
  telex: { embeddingModels: new Map([["odd", { inputTokens: 100, countTokens: () => 1, embed }]]) },
});

overBothTransports("embeddings for the official client of OpenAI", (open) => {
  it("are listed, made, counted, and the same in both encodings", async () => {
    const { embeddingModels, asked } = createEmbeddingModel();
    const given = await open({ telex: { embeddingModels } });
    const client = clientOf(given);
    const names = (await client.models.list()).data.map(({ id }) => id);
    expect(names).toEqual(["echo", "counting"]);
    const asking = { model: "counting", input: ["a b", "d"], user: "somebody" };
    const lists = await client.embeddings.create({ ...asking, encoding_format: "float" });
    expect(lists).toEqual({
      object: "list",
      data: [
        { object: "embedding", index: 0, embedding: [97 / 256, 32 / 256, 98 / 256] },
        { object: "embedding", index: 1, embedding: [100 / 256, 0, 0] },
      ],
      model: "counting",
      usage: { prompt_tokens: 3, total_tokens: 3 },
    });
    // Without a format this client asks for base64.
    const decoded = await client.embeddings.create(asking);
    expect(decoded.data.map(({ embedding }) => [...embedding])).toEqual(lists.data.map(({ embedding }) => embedding));
    const raw = await client.embeddings.create({ ...asking, encoding_format: "base64" });
    expect(raw.data[1]?.embedding).toBe(Buffer.from(Float32Array.of(100 / 256, 0, 0).buffer).toString("base64"));
    expect(asked).toHaveLength(3);
    expect(await used(given)).toEqual([3, 9]);
  });

  it("take a text, tokens and lists of tokens, and dimensions", async () => {
    const { embeddingModels, asked } = createEmbeddingModel();
    const client = clientOf(await open({ telex: { embeddingModels } }));
    const inputs = ["a", [1, 2], [[1, 2], [3]]];
    for (const input of inputs) await client.embeddings.create({ model: "counting", input });
    expect(asked.map((request) => request.inputs)).toEqual([["a"], [[1, 2]], [[1, 2], [3]]]);
    const long = await client.embeddings.create({ model: "counting", input: "a", dimensions: 5 });
    expect(long.data[0]?.embedding).toHaveLength(5);
  });

  it.each([
    ["model", 400, "invalid_request", { model: undefined }],
    ["model", 404, "model_not_found", { model: "echo" }],
    ["model", 404, "model_not_found", { model: "none" }],
    ["input", 400, "invalid_request", { input: undefined }],
    ["input", 400, "invalid_request", { input: "" }],
    ["input", 400, "invalid_request", { input: [] }],
    ["input.1", 400, "invalid_request", { input: ["a", ""] }],
    ["input.1", 400, "invalid_request", { input: ["a", 5] }],
    ["input", 400, "invalid_request", { input: [1, -1] }],
    ["input", 400, "invalid_request", { input: Array(2049).fill("a") }],
    ["input.1", 400, "context_length_exceeded", { input: ["a", "a ".repeat(101)] }],
    ["input", 400, "context_length_exceeded", { input: Array(101).fill(1) }],
    ["dimensions", 400, "invalid_request", { dimensions: 0 }],
    ["encoding_format", 400, "invalid_request", { encoding_format: "hex" }],
    ["truncate", 400, "unknown_parameter", { truncate: true }],
  ])("are refused with the parameter %s, %i and %s", async (param, status, code, wrong) => {
    const { embeddingModels, asked } = createEmbeddingModel();
    const given = await open({ telex: { embeddingModels } });
    const refused = await given.post("/v1/embeddings", { model: "counting", input: "a", ...wrong }, given.alice.token);
    expect(refused.status).toBe(status);
    expect(await refused.json()).toMatchObject({ error: { type: "invalid_request_error", code, param } });
    expect(asked).toEqual([]);
    expect(await used(given)).toEqual([0, 0]);
  });

  it.each([
    ["token", 10, 1, 5],
    ["count", 3, 3, 3],
  ] as const)(
    "never take more than a quota of %s %i, however many ask simultaneously",
    async (unit, max, words, most) => {
      const { embeddingModels, asked } = createEmbeddingModel();
      const given = await open({ telex: { embeddingModels } });
      await assign(given, unit, max);
      const input = unit === "token" ? "two words" : "word ".repeat(words).trim();
      const calls = Array.from({ length: 12 }, () =>
        given.post("/v1/embeddings", { model: "counting", input }, given.alice.token),
      );
      const answers = await Promise.all(calls);
      const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
      expect(statuses).toEqual(Array.from({ length: 12 }, (_, index) => (index < most ? 200 : 429)));
      expect(asked).toHaveLength(most);
      expect(await used(given)).toEqual([most, unit === "token" ? 10 : 9]);
      const refused = answers.find(({ status }) => status === 429);
      expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await refused?.json()).toMatchObject({
        error: { code: "insufficient_quota", type: "insufficient_quota" },
      });
    },
  );

  it("do not fit into a quota of tokens that is nearly used up", async () => {
    const { embeddingModels } = createEmbeddingModel();
    const given = await open({ telex: { embeddingModels } });
    await assign(given, "token", 3);
    const embed = (input: string) => clientOf(given).embeddings.create({ model: "counting", input });
    await embed("two words");
    expect(await failureOf(embed("two words"))).toMatchObject({ status: 429 });
    await embed("one");
    expect(await used(given)).toEqual([2, 3]);
  });

  it.each([
    ["too few vectors", []],
    ["vectors of different lengths", [Float32Array.of(1), Float32Array.of(1, 2)]],
    ["empty vectors", [new Float32Array(), new Float32Array()]],
    ["a number that is none", [Float32Array.of(1), Float32Array.of(Number.NaN)]],
  ])("of a model that gives %s fail, and cost nothing", async (_, vectors) => {
    const usage = { promptTokens: 2, estimated: false };
    const given = await open(odd(() => Promise.resolve({ vectors, usage })));
    const failure = failureOf(clientOf(given).embeddings.create({ model: "odd", input: ["a", "b"] }));
    expect(await failure).toMatchObject({ status: 503, code: "ai_unavailable", type: "server_error" });
    expect(await used(given)).toEqual([0, 0]);
    expect(given.log.join()).toContain("The model gave");
  });

  it("of a model that has other dimensions than asked for fail", async () => {
    const usage = { promptTokens: 1, estimated: false };
    const given = await open(odd(() => Promise.resolve({ vectors: [Float32Array.of(1, 2)], usage })));
    const failure = failureOf(clientOf(given).embeddings.create({ model: "odd", input: "a", dimensions: 3 }));
    expect(await failure).toMatchObject({ status: 503, code: "ai_unavailable" });
  });

  it("of a model that fails give its failure, never the words of the provider", async () => {
    const cause = new Error("the key sk-1 is wrong");
    const given = await open(odd(() => Promise.reject(new TelexError("ai_unavailable", { cause }))));
    const failure = await failureOf(clientOf(given).embeddings.create({ model: "odd", input: "a" }));
    expect(failure).toMatchObject({ status: 503, code: "ai_unavailable" });
    expect(String(failure)).not.toContain("sk-1");
  });

  it("are stopped when the caller goes away, and their tokens count", async () => {
    const { embeddingModels, asked, aborted } = createStuckEmbeddingModel();
    const given = await open({ telex: { embeddingModels } });
    const stop = new AbortController();
    const call = clientOf(given).embeddings.create({ model: "stuck", input: "two words" }, { signal: stop.signal });
    const failure = failureOf(call);
    await asked;
    stop.abort();
    await Promise.all([failure, aborted]);
    await expect.poll(() => used(given)).toEqual([0, 2]);
  });

  it("end with the token that asked for them", async () => {
    const { embeddingModels, asked, aborted } = createStuckEmbeddingModel();
    const given = await open({ telex: { embeddingModels } });
    const failure = failureOf(clientOf(given).embeddings.create({ model: "stuck", input: "a" }));
    await asked;
    await given.telex.operator.tokens.revoke(operator, { token: given.alice.token });
    expect(await failure).toMatchObject({ status: 401, code: "invalid_api_key" });
    await aborted;
  });
});

it("models of both kinds cannot have the same name", async () => {
  const { createTelex } = await import("@telex/core");
  const { createMemoryStorage } = await import("@telex/storage-memory");
  const { createMemoryBlobs } = await import("@telex/blobs/memory");
  const { createSharpEngine } = await import("@telex/image-text/sharp");
  const [counting] = createEmbeddingModel().embeddingModels.values();
  if (counting === undefined) throw new Error("there is a model");
  const options = { storage: createMemoryStorage(), blobs: createMemoryBlobs(), images: createSharpEngine() };
  const making = createTelex({ ...options, embeddingModels: new Map([["echo", counting]]) });
  await expect(making).rejects.toThrow("Two models are named echo.");
});
