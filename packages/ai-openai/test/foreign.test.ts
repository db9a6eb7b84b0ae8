import { LLMock } from "@copilotkit/aimock";
import type { ChatModel, ChatPart, ReplyOptions } from "@telex/core";
import { createManualClock } from "@telex/conformance/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createOpenAiModels, type OpenAiOptions } from "../src/index.ts";
import { servePeer } from "./peer.ts";

const key = "sk-test-0123456789";
const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent", auth: { apiKeys: [key] } });
let url = "";

beforeAll(async () => {
  url = await mock.start();
});
afterAll(() => mock.stop());
beforeEach(() => {
  mock.reset();
});

const modelOf = (options: Partial<OpenAiOptions> = {}): ChatModel => {
  const models = [{ name: "test", model: "gpt-4o", contextTokens: 8000, maxOutputTokens: 1000 }];
  const model = createOpenAiModels({ baseUrl: `${url}/v1`, key, models, ...options }).get("test");
  if (model === undefined) throw new Error("a model was named");
  return model;
};

async function read(model: ChatModel, content: string, signal = new AbortController().signal): Promise<ChatPart[]> {
  const parts: ChatPart[] = [];
  const messages = [
    { role: "system", content: "Be kind." },
    { role: "user", content },
  ] as const;
  for await (const part of model.reply({ messages, maxOutputTokens: 100, signal })) parts.push(part);
  return parts;
}

const textOf = (parts: readonly ChatPart[]): string =>
  parts.map((part) => (part.kind === "delta" ? part.delta : "")).join("");

/** The failure of a reply, as the log shows it. */
async function failureOf(reply: Promise<unknown>): Promise<{ code: unknown; cause: string; all: string }> {
  const error: unknown = await reply.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error) || !(error.cause instanceof Error)) throw new Error("the reply succeeded");
  const { message, stack = "" } = error.cause;
  return { code: Reflect.get(error, "code"), cause: message, all: `${stack} ${error.stack} ${JSON.stringify(error)}` };
}

describe("a foreign service that speaks the interface of OpenAI", () => {
  it("is asked with its own name of the model, the limit and the key, and its reply and usage are passed on", async () => {
    mock.onMessage(
      "hello",
      { content: "Hello there, friend!", usage: { prompt_tokens: 11, completion_tokens: 4 } },
      { chunkSize: 6 },
    );
    const parts = await read(modelOf(), "hello");
    expect(parts).toEqual([
      { kind: "delta", delta: "Hello " },
      { kind: "delta", delta: "there," },
      { kind: "delta", delta: " frien" },
      { kind: "delta", delta: "d!" },
      { kind: "end", finishReason: "stop", usage: { promptTokens: 11, completionTokens: 4, estimated: false } },
    ]);
    expect(mock.getLastRequest()?.body).toMatchObject({
      model: "gpt-4o",
      max_tokens: 100,
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: "system" }, { role: "user", content: "hello" }],
    });
  });

  it("gets every setting of a reply, the format of JSON, and the limit under the name that the caller gave it", async () => {
    mock.onMessage("settings", { content: "x", usage: { prompt_tokens: 11, completion_tokens: 4 } });
    const settings = { temperature: 0.2, topP: 0.9, presencePenalty: 1, frequencyPenalty: -1, seed: 7 };
    const more = { reasoningEffort: "low", verbosity: "high", parallelToolCalls: false } as const;
    const ask = async (options: ReplyOptions): Promise<unknown> => {
      const messages = [{ role: "user", content: "settings" }] as const;
      const request = { messages, maxOutputTokens: 100, signal: new AbortController().signal, ...options };
      for await (const part of modelOf().reply(request)) expect(part.kind).not.toBe("tool_call");
      return mock.getLastRequest()?.body;
    };
    const schema = { type: "object", properties: { city: { type: "string" } } };
    const described = { name: "place", strict: true };
    const responseFormat = { ...described, schema: JSON.stringify(schema) };
    expect(await ask({ ...settings, ...more, responseFormat, limitField: "max_completion_tokens" })).toMatchObject({
      temperature: 0.2,
      top_p: 0.9,
      presence_penalty: 1,
      frequency_penalty: -1,
      seed: 7,
      reasoning_effort: "low",
      verbosity: "high",
      parallel_tool_calls: false,
      response_format: { type: "json_schema", json_schema: { ...described, schema } },
      max_completion_tokens: 100,
    });
    expect(await ask({ responseFormat: {} })).toMatchObject({
      response_format: { type: "json_object" },
      max_tokens: 100,
    });
  });

  it("has the tokens reported that it had read before, and those in which its model reasoned", async () => {
    const details = { prompt_tokens_details: { cached_tokens: 8 }, completion_tokens_details: { reasoning_tokens: 3 } };
    const peer = await servePeer((res) => {
      const end = {
        choices: [{ delta: {}, finish_reason: "stop" }],
        usage: { prompt_tokens: 11, completion_tokens: 4, ...details },
      };
      res.writeHead(200, { "content-type": "text/event-stream" }).end(`data: ${JSON.stringify(end)}\n\n`);
    });
    const usage = { promptTokens: 11, completionTokens: 4, cachedTokens: 8, reasoningTokens: 3, estimated: false };
    expect(await read(modelOf({ baseUrl: peer.url }), "x")).toEqual([{ kind: "end", finishReason: "stop", usage }]);
  });

  it("of a model that reasons gets the limit as max_completion_tokens where the caller names none", async () => {
    mock.onMessage("reason", { content: "x" });
    const limits = { contextTokens: 8000, maxOutputTokens: 1000 };
    await read(modelOf({ models: [{ name: "test", limitField: "max_completion_tokens", ...limits }] }), "reason");
    const body = mock.getLastRequest()?.body;
    expect(body).toMatchObject({ max_completion_tokens: 100 });
    expect(body).not.toHaveProperty("max_tokens");
  });

  it.each([400, 402, 409, 413, 415, 422, 451])(
    "that refuses the request with %i makes it the fault of the caller",
    async (status) => {
      const peer = await servePeer((res) => void res.writeHead(status).end());
      await expect(read(modelOf({ baseUrl: peer.url }), "x")).rejects.toMatchObject({
        code: "invalid_request",
        reason: "model_refused",
      });
      expect(peer.state.asked).toBe(1);
    },
  );

  it("has its finish reasons passed on in ours", async () => {
    for (const [theirs, ours] of [
      ["length", "length"],
      ["content_filter", "content_filter"],
      ["stop", "stop"],
    ] as const) {
      mock.onMessage(theirs, { content: "x", finishReason: theirs });
      expect((await read(modelOf(), theirs)).at(-1)).toMatchObject({ kind: "end", finishReason: ours });
    }
  });

  it("is waited for as long as it goes on, however slowly", async () => {
    mock.onMessage("slow", { content: "abcdefghij" }, { chunkSize: 1, latency: 20 });
    const parts = await read(modelOf({ timeouts: { betweenDeltas: 10_000 } }), "slow");
    expect(textOf(parts)).toBe("abcdefghij");
  });

  it("is given up when it says nothing for too long", async () => {
    mock.onMessage("stuck", { content: "abcdefghij" }, { chunkSize: 5, latency: 30_000 });
    const clock = createManualClock(0);
    const failure = failureOf(read(modelOf({ clock }), "stuck"));
    await expect.poll(() => mock.getRequests()).toHaveLength(1);
    await clock.advance(120_000);
    expect(await failure).toMatchObject({ code: "ai_unavailable", cause: "The AI service does not continue." });
  });

  it("fails in the middle once for all, without a repeat", async () => {
    mock.onMessage("cut", { content: "abcdefghij" }, { chunkSize: 2, latency: 10, truncateAfterChunks: 4 });
    const failure = await failureOf(read(modelOf(), "cut"));
    expect(failure).toMatchObject({ code: "ai_unavailable" });
    expect(mock.getRequests()).toHaveLength(1);
  });

  it("is asked again if it failed before its first piece, up to a fixed number of times", async () => {
    mock.onMessage("again", { content: "fine" });
    mock.nextRequestError(503, { message: "overloaded" });
    expect(textOf(await read(modelOf(), "again"))).toBe("fine");
    mock.reset();
    mock.onMessage("busy", { error: { message: "busy", type: "server_error" }, status: 503 });
    await failureOf(read(modelOf({ retries: 1 }), "busy"));
    expect(mock.getRequests()).toHaveLength(2);
  });

  it("is not asked again where it refuses, and neither its words nor the key are told, not even to the log", async () => {
    mock.onMessage("refuse", {
      error: { message: `Incorrect API key provided: ${key}`, type: "invalid_request_error", code: "invalid_api_key" },
      status: 401,
    });
    const failure = await failureOf(read(modelOf(), "refuse"));
    expect(failure).toMatchObject({
      code: "ai_unavailable",
      cause: "The AI service answered 401 (type invalid_request_error, code invalid_api_key).",
    });
    expect(failure.all).not.toContain(key);
    expect(failure.all).not.toContain("Incorrect");
    expect(mock.getRequests()).toHaveLength(1);
    const wrong = await failureOf(read(modelOf({ key: "sk-wrong-key-9876543210" }), "refuse"));
    expect(wrong.all).not.toContain("sk-wrong");
  });

  it("is not understood if its answer is not a stream", async () => {
    mock.setChaos({ malformedRate: 1 });
    mock.onMessage("odd", { content: "x" });
    const failure = await failureOf(read(modelOf({ retries: 0 }), "odd"));
    mock.clearChaos();
    expect(failure.code).toBe("ai_unavailable");
  });

  it("is let go of when nobody wants its reply any more", async () => {
    mock.onMessage("long", { content: "abcdefghij".repeat(100) }, { chunkSize: 1, latency: 5 });
    const stop = new AbortController();
    const reply = modelOf().reply({
      messages: [{ role: "user", content: "long" }],
      maxOutputTokens: 100,
      signal: stop.signal,
    });
    const stopAtOnce = async () => {
      for await (const part of reply) if (part.kind === "delta") stop.abort(new Error("enough"));
    };
    await expect(stopAtOnce()).rejects.toThrow("enough");
  });
});
