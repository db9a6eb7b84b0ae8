import { createMemoryBlobs } from "@telex/blobs/memory";
import { createTelex, operator } from "@telex/core";
import { until } from "@telex/conformance/testing";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it, onTestFinished } from "vitest";
import { aiSdkModels } from "../src/index.ts";
import { causeOf, finish, mockOf, modelOf, read, streamOf, textOf, usage } from "./support.ts";

const reported = { promptTokens: 11, completionTokens: 4, cachedTokens: 8, reasoningTokens: 3, estimated: false };

describe("a model of the AI SDK", () => {
  it("replies piece by piece, with the usage that the provider reports", async () => {
    const model = modelOf(mockOf(streamOf([...textOf("Hello", "", " there"), finish()])));
    expect(await read(model)).toEqual([
      { kind: "delta", delta: "Hello" },
      { kind: "delta", delta: " there" },
      { kind: "end", finishReason: "stop", usage: reported },
    ]);
  });

  it.each([
    ["length", "length"],
    ["content-filter", "content_filter"],
    ["tool-calls", "tool_calls"],
    ["other", "stop"],
  ] as const)("ends with %s as %s", async (theirs, ours) => {
    const parts = await read(modelOf(mockOf(streamOf([...textOf("x"), finish(theirs)]))));
    expect(parts.at(-1)).toMatchObject({ kind: "end", finishReason: ours });
  });

  it("keeps its thoughts back", async () => {
    const thoughts = [
      { type: "reasoning-start", id: "r" },
      { type: "reasoning-delta", id: "r", delta: "hm" },
      { type: "reasoning-end", id: "r" },
    ] as const;
    const parts = await read(modelOf(mockOf(streamOf([...thoughts, ...textOf("Yes"), finish()]))));
    expect(parts).toMatchObject([{ kind: "delta", delta: "Yes" }, { kind: "end" }]);
  });

  it("gets settings, tools, pictures and the results of tools as the SDK takes them", async () => {
    const mock = mockOf(streamOf([...textOf("x"), finish()]));
    const parameters = JSON.stringify({ type: "object", properties: { city: { type: "string" } } });
    await read(modelOf(mock, {}, { providerOptions: { test: { cache: true } } }), {
      messages: [
        { role: "system", content: "Be kind." },
        {
          role: "user",
          content: "Look",
          parts: [{ text: "Look" }, { image: "data:image/png;base64,AAAA", detail: "low" }],
        },
        { role: "assistant", content: "", toolCalls: [{ id: "c1", name: "weather", arguments: '{"city":"Oslo"}' }] },
        { role: "tool", content: "It rains.", toolCallId: "c1" },
      ],
      temperature: 0.2,
      topP: 0.9,
      seed: 7,
      reasoningEffort: "low",
      stop: ["END"],
      responseFormat: { name: "place", schema: parameters },
      tools: [{ name: "weather", description: "The weather.", parameters, strict: true }],
      toolChoice: { name: "weather" },
    });
    const schema: unknown = JSON.parse(parameters);
    expect(mock.doStreamCalls[0]).toMatchObject({
      prompt: [
        { role: "system", content: "Be kind." },
        {
          role: "user",
          content: [
            { type: "text", text: "Look" },
            { type: "file", mediaType: "image/png", data: { type: "data", data: "AAAA" } },
          ],
        },
        { role: "assistant", content: [{ type: "tool-call", toolCallId: "c1", input: { city: "Oslo" } }] },
        { role: "tool", content: [{ type: "tool-result", toolName: "weather", output: { value: "It rains." } }] },
      ],
      maxOutputTokens: 100,
      temperature: 0.2,
      topP: 0.9,
      seed: 7,
      reasoning: "low",
      stopSequences: ["END"],
      responseFormat: { type: "json", name: "place", schema },
      tools: [{ type: "function", name: "weather", inputSchema: schema, strict: true }],
      toolChoice: { type: "tool", toolName: "weather" },
      providerOptions: { test: { cache: true } },
    });
    expect(Object.values(mock.doStreamCalls[0] ?? {})).not.toContain(undefined);
  });

  it("calls tools, whether the provider sends a call in pieces or as a whole, and not those of the provider", async () => {
    const parts = await read(
      modelOf(
        mockOf(
          streamOf([
            { type: "tool-input-start", id: "c1", toolName: "weather" },
            { type: "tool-input-delta", id: "c1", delta: '{"city":' },
            { type: "tool-input-delta", id: "c1", delta: '"Oslo"}' },
            { type: "tool-input-end", id: "c1" },
            { type: "tool-call", toolCallId: "c1", toolName: "weather", input: '{"city":"Oslo"}' },
            { type: "tool-call", toolCallId: "s1", toolName: "search", input: "{}", providerExecuted: true },
            { type: "tool-call", toolCallId: "c2", toolName: "weather", input: '{"city":"Rome"}' },
            finish("tool-calls"),
          ]),
        ),
      ),
    );
    expect(parts).toEqual([
      { kind: "tool_call", index: 0, id: "c1", name: "weather", arguments: "" },
      { kind: "tool_call", index: 0, arguments: '{"city":' },
      { kind: "tool_call", index: 0, arguments: '"Oslo"}' },
      { kind: "tool_call", index: 1, id: "c2", name: "weather", arguments: '{"city":"Rome"}' },
      { kind: "end", finishReason: "tool_calls", usage: reported },
    ]);
  });

  it("has its tokens estimated if the provider reports none, or impossible ones", async () => {
    for (const total of [undefined, -1, Number.NaN, 1e12]) {
      const odd = { ...usage, outputTokens: { ...usage.outputTokens, total } };
      const parts = await read(modelOf(mockOf(streamOf([...textOf("four byte"), { ...finish(), usage: odd }]))));
      expect(parts.at(-1)).toMatchObject({ usage: { promptTokens: 2, completionTokens: 3, estimated: true } });
    }
  });

  it("needs a name and limits that fit each other", () => {
    const model = mockOf(streamOf([]));
    const create = (name: string, contextTokens: number, maxOutputTokens: number) => () =>
      aiSdkModels({ [name]: { model, contextTokens, maxOutputTokens } });
    for (const wrong of [create("", 10, 10), create("a", 10, 11), create("a", 0, 0), create("a", 1.5, 1)]) {
      expect(wrong).toThrow(TypeError);
    }
  });
});

async function createInstance(doStream: Parameters<typeof mockOf>[0], max: number) {
  const mock = mockOf(doStream);
  const plugin = aiSdkModels(
    { test: { model: mock, contextTokens: 8000, maxOutputTokens: 1000, tools: true } },
    { retries: 0 },
  );
  const storage = createMemoryStorage();
  const telex = await createTelex({
    storage,
    blobs: createMemoryBlobs(),
    images: createSharpEngine(),
    plugins: [plugin],
  });
  onTestFinished(() => telex.close());
  const { id } = await telex.operator.users.add(operator, { nickname: "Alice" });
  await telex.operator.quota.assign(operator, { userId: id, unit: "count", max, period: "daily" });
  const { token } = await telex.operator.tokens.issue(operator, { userId: id, scopes: ["chat"] });
  const caller = await telex.authenticate(token);
  const ask = async (): Promise<string> => {
    let text = "";
    for await (const event of await telex.ai.complete(caller, { messages: [{ role: "user", content: "x" }] })) {
      if (event.kind === "delta") text += event.delta;
    }
    return text;
  };
  return { telex, caller, mock, ask };
}

describe("the quota of a user who asks a model of the AI SDK", () => {
  it("cannot be overspent by simultaneous replies", async () => {
    const { mock, ask, telex, caller } = await createInstance(
      () => Promise.resolve(streamOf([...textOf("x"), finish()])),
      3,
    );
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, ask));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(mock.doStreamCalls).toHaveLength(3);
    expect(await telex.ai.quota(caller, {})).toMatchObject({ messageCount: 3, tokenCount: 45 });
  });

  it("counts what came when the server closes, which stops the provider", async () => {
    const { mock, ask, telex } = await createInstance(
      () => Promise.resolve(streamOf(textOf("half of the reply"), "stays open")),
      3,
    );
    const reply = ask();
    await until(() => mock.doStreamCalls.length === 1);
    await telex.close();
    expect(await reply).toBe("half of the reply");
    expect(mock.doStreamCalls[0]?.abortSignal?.aborted).toBe(true);
  });

  it("is not touched by a failure before the first piece, and counts what came before a later one", async () => {
    const early = await createInstance(() => Promise.reject(new Error("no")), 3);
    expect(await causeOf(early.ask())).toEqual(["ai_unavailable", "The provider failed (unknown)."]);
    expect(await early.telex.ai.quota(early.caller, {})).toMatchObject({ messageCount: 0, tokenCount: 0 });
    const late = await createInstance(() => Promise.resolve(streamOf(textOf("half of the reply"))), 3);
    expect(await causeOf(late.ask())).toEqual(["ai_unavailable", "The provider stopped in the middle."]);
    const quota = await late.telex.ai.quota(late.caller, {});
    expect(quota.messageCount).toBe(0);
    expect(quota.tokenCount).toBeGreaterThan(0);
  });
});
