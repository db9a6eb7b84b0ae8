import { APICallError, type LanguageModelV4StreamPart, LoadAPIKeyError } from "@ai-sdk/provider";
import type { ChatPart } from "@telex/core";
import { createManualClock, ticks } from "@telex/conformance/testing";
import { describe, expect, it } from "vitest";
import { causeOf, finish, mockOf, modelOf, read, streamOf, textOf } from "./support.ts";

const key = "sk-secret-0123456789";

const callError = (statusCode: number | undefined, isRetryable: boolean, responseHeaders = {}) => {
  const failed = { message: `the key ${key} is wrong`, url: "https://x.example", requestBodyValues: { key } };
  const words = { responseBody: key, data: key, cause: new Error(key), responseHeaders, isRetryable };
  return new APICallError({ ...failed, ...words, ...(statusCode !== undefined && { statusCode }) });
};

/** An endless stream of parts, as fast as they are read. */
function endless(part: LanguageModelV4StreamPart) {
  const state = { made: 0, isCancelled: false };
  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    pull(controller) {
      state.made += 1;
      controller.enqueue(part);
    },
    cancel: () => void (state.isCancelled = true),
  });
  return { state, stream };
}

describe("a hostile provider", () => {
  it("that never ends is cut off at the length that was asked for, and is not read ahead", async () => {
    const { state, stream } = endless({ type: "text-delta", id: "1", delta: "x".repeat(100) });
    const parts = await read(modelOf(mockOf({ stream })));
    expect(parts.at(-1)).toMatchObject({ kind: "end", finishReason: "length", usage: { estimated: true } });
    expect(parts.length).toBeLessThan(40);
    expect(state.isCancelled).toBe(true);
    expect(state.made).toBeLessThan(50);
  });

  it.each<LanguageModelV4StreamPart>([
    { type: "text-delta", id: "1", delta: "" },
    { type: "raw", rawValue: null },
    { type: "tool-input-delta", id: "unknown", delta: "" },
  ])("that sends nothing but $type is given up", async (part) => {
    const { state, stream } = endless(part);
    expect(await causeOf(read(modelOf(mockOf({ stream }))))).toEqual([
      "ai_unavailable",
      "The provider sends no pieces.",
    ]);
    expect(state.isCancelled).toBe(true);
  });

  it("that calls more tools than a reply may has the others left out", async () => {
    const calls = Array.from({ length: 200 }, (_, index): LanguageModelV4StreamPart => {
      return { type: "tool-call", toolCallId: `c${index}`, toolName: "t", input: "{}" };
    });
    const parts = await read(modelOf(mockOf(streamOf([...calls, finish("tool-calls")]))));
    expect(parts.filter(({ kind }) => kind === "tool_call")).toHaveLength(128);
  });

  it.each([
    ["nothing more", [], "The provider stopped in the middle."],
    ["an error", [{ type: "error", error: new Error(key) }], "The provider failed (unknown)."],
    ["a failure as its end", [finish("error")], "The provider broke off."],
  ] as const)("that sends %s after a piece fails once, and the piece was passed on", async (_, parts, cause) => {
    const mock = mockOf(() => Promise.resolve(streamOf([...textOf("half"), ...parts])));
    const seen: ChatPart[] = [];
    const failing = (async () => {
      const messages = [{ role: "user", content: "x" }] as const;
      const request = { messages, maxOutputTokens: 100, signal: new AbortController().signal };
      for await (const part of modelOf(mock).reply(request)) seen.push(part);
    })();
    expect(await causeOf(failing)).toEqual(["ai_unavailable", cause]);
    expect(seen).toEqual([{ kind: "delta", delta: "half" }]);
    expect(mock.doStreamCalls).toHaveLength(1);
  });

  it.each([
    [400, "invalid_request", "The provider answered 400."],
    [409, "invalid_request", "The provider answered 409."],
    [422, "invalid_request", "The provider answered 422."],
    [401, "ai_unavailable", "The provider answered 401."],
    [403, "ai_unavailable", "The provider answered 403."],
    [404, "ai_unavailable", "The provider answered 404."],
    [undefined, "ai_unavailable", "The connection to the provider failed."],
  ])("that answers %s has neither its words nor the key told, not even to the log", async (status, code, cause) => {
    const mock = mockOf(() => Promise.reject(callError(status, false)));
    const error: unknown = await read(modelOf(mock)).catch((thrown: unknown) => thrown);
    expect(await causeOf(Promise.reject(error))).toEqual([code, cause]);
    expect(JSON.stringify(error) + String(error instanceof Error && String(error.cause))).not.toContain(key);
    expect(mock.doStreamCalls).toHaveLength(1);
  });

  it("without its key names the error of the SDK only", async () => {
    const mock = mockOf(() => Promise.reject(new LoadAPIKeyError({ message: key })));
    expect(await causeOf(read(modelOf(mock)))).toEqual(["ai_unavailable", "The provider failed (AI_LoadAPIKeyError)."]);
  });

  it("that is overloaded is asked again after the time that it names, a fixed number of times", async () => {
    const clock = createManualClock(0);
    const answers = [callError(529, true, { "retry-after": "2" }), callError(503, true)];
    const mock = mockOf(() => {
      const failure = answers.shift();
      return failure === undefined ? Promise.resolve(streamOf([...textOf("fine"), finish()])) : Promise.reject(failure);
    });
    const reply = read(modelOf(mock, { clock }));
    await ticks();
    expect(clock.waiting()).toContain(2000);
    await clock.advance(2000);
    expect(clock.waiting()).toContain(500);
    await clock.advance(500);
    expect(await reply).toMatchObject([{ delta: "fine" }, { kind: "end" }]);
    const busy = mockOf(() => Promise.reject(callError(503, true)));
    const failing = causeOf(read(modelOf(busy, { clock, retries: 1 })));
    await ticks();
    await clock.advance(250);
    expect(await failing).toEqual(["ai_unavailable", "The provider answered 503."]);
    expect(busy.doStreamCalls).toHaveLength(2);
  });

  it.each([
    ["does not answer", () => new Promise<never>(() => {}), 120_000],
    ["sends nothing", () => Promise.resolve(streamOf([], "stays open")), 120_000],
    ["goes silent in the middle", () => Promise.resolve(streamOf(textOf("half"), "stays open")), 30_000],
  ])("that %s is given up, and its request is aborted", async (_, doStream, time) => {
    const clock = createManualClock(0);
    const mock = mockOf(doStream);
    const failing = causeOf(read(modelOf(mock, { clock })));
    await ticks();
    expect(mock.doStreamCalls[0]?.abortSignal?.aborted).toBe(false);
    await clock.advance(time);
    expect(await failing).toEqual(["ai_unavailable", "The provider does not continue."]);
    expect(mock.doStreamCalls[0]?.abortSignal?.aborted).toBe(true);
  });

  it("whose caller leaves is let go of, whether it sends or waits", async () => {
    for (const parts of [[], textOf("half")]) {
      const stopping = new AbortController();
      const mock = mockOf(() => Promise.resolve(streamOf(parts, "stays open")));
      const reply = read(modelOf(mock), { signal: stopping.signal });
      await ticks();
      stopping.abort(new Error("enough"));
      await expect(reply).rejects.toThrow("enough");
      expect(mock.doStreamCalls[0]?.abortSignal?.aborted).toBe(true);
    }
  });
});
