import { describe, expect, it } from "vitest";
import type { ChatEvent } from "../src/ai/contract.ts";
import { type ChatModel, operator, TelexError } from "../src/index.ts";
import { echoModel } from "../src/ai/model.ts";
import { createKit, type Kit } from "./kit.ts";
import { ticks } from "@telex/conformance/testing";
import { describeError } from "@telex/ground/errors";

type Input = Parameters<Kit["telex"]["ai"]["chat"]>[1];

const chat = (kit: Kit, input: Partial<Input> & { content: string }, signal?: AbortSignal) =>
  kit.telex.ai.chat(kit.alice, input, signal === undefined ? {} : { signal });

async function all(stream: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

async function ask(kit: Kit, input: Partial<Input> & { content: string }) {
  const events = await all(await chat(kit, input));
  const last = events.at(-1);
  if (last?.kind !== "result") throw new Error("a reply ends with its result");
  return last;
}

const assign = (kit: Kit, unit: "count" | "token", max: number) =>
  kit.telex.operator.quota.assign(operator, { userId: 1, unit, max, period: "daily" });
const used = async (kit: Kit) => {
  const { messageCount, tokenCount } = await kit.telex.ai.quota(kit.alice, {});
  return [messageCount, tokenCount];
};

/** A model that says a word whenever it is let. */
function createSlowModel() {
  const gates: (() => void)[] = [];
  const state = { calls: 0, aborted: 0, fail: false };
  const model: ChatModel = {
    ...echoModel,
    async *reply({ signal }) {
      state.calls += 1;
      signal.addEventListener("abort", () => (state.aborted += 1));
      for (;;) {
        await new Promise<void>((resolve, reject) => {
          gates.push(resolve);
          signal.addEventListener("abort", () => reject(new Error("aborted")));
        });
        if (state.fail) throw new Error("upstream said: key sk-123 is wrong");
        yield { kind: "delta", delta: "word " };
      }
    },
  };
  return { models: new Map([["slow", model]]), state, go: () => gates.splice(0).forEach((open) => open()) };
}

describe("a chat", () => {
  it("answers piece by piece, then with its result, and is kept", async () => {
    const kit = await createKit();
    const events = await all(await chat(kit, { content: "Hello big world" }));
    expect(events).toEqual([
      { kind: "delta", conversationId: 1, delta: "Hello" },
      { kind: "delta", conversationId: 1, delta: " big" },
      { kind: "delta", conversationId: 1, delta: " world" },
      {
        kind: "result",
        conversationId: 1,
        content: "Hello big world",
        finishReason: "stop",
        usage: { promptTokens: 3, completionTokens: 3, totalTokens: 6, estimated: false },
      },
    ]);
    expect(await used(kit)).toEqual([1, 6]);
    const { list } = await kit.telex.ai.conversations(kit.alice, {});
    expect(list).toMatchObject([
      { id: 1, userId: 1, title: "Hello big world", status: 0, defaultModel: "echo", totalToken: 6 },
    ]);
    const { messages } = await kit.telex.ai.conversationMessages(kit.alice, { conversationId: 1 });
    expect(messages.map(({ role, content, finishReason }) => [role, content, finishReason])).toEqual([
      ["assistant", "Hello big world", "stop"],
      ["user", "Hello big world", null],
    ]);
    expect(messages.filter((message) => "tools" in message)).toEqual([]);
  });

  it("goes on with what was said before, in whole turns that fit, and the system prompt", async () => {
    const seen: unknown[] = [];
    const model: ChatModel = {
      ...echoModel,
      contextTokens: 20,
      maxOutputTokens: 5,
      reply(request) {
        seen.push(request.messages.map(({ role, content }) => `${role}: ${content}`));
        return echoModel.reply(request);
      },
    };
    const kit = await createKit({ models: new Map([["small", model]]) });
    const { conversationId } = await ask(kit, { content: "one two three four" });
    await ask(kit, { content: "five", conversationId });
    await ask(kit, { content: "six", conversationId, systemPrompt: "be kind" });
    await ask(kit, { content: "a b c d e f g h i j", conversationId, systemPrompt: "be kind" });
    expect(seen).toEqual([
      ["user: one two three four"],
      ["user: one two three four", "assistant: one two three four", "user: five"],
      [
        "system: be kind",
        "user: one two three four",
        "assistant: one two three four",
        "user: five",
        "assistant: five",
        "user: six",
      ],
      ["system: be kind", "user: six", "assistant: six", "user: a b c d e f g h i j"],
    ]);
  });

  it("passes on and keeps U+FFFD for what no text may hold, and a character that comes in two pieces whole", async () => {
    const deltas = ["a\0b", "\uD83D", "\uDE00", "\uDE00", "c\uD83D"];
    const model: ChatModel = {
      ...echoModel,
      async *reply() {
        for (const delta of deltas) yield { kind: "delta", delta };
        const usage = { promptTokens: 1, completionTokens: 1, estimated: false };
        yield { kind: "end", finishReason: "stop", usage };
      },
    };
    const kit = await createKit({ models: new Map([["odd", model]]) });
    const events = await all(await chat(kit, { content: "x" }));
    const pieces = events.map((event) => (event.kind === "delta" ? event.delta : "content" in event && event.content));
    expect(pieces).toEqual(["a\uFFFDb", "\u{1F600}", "\uFFFD", "c", "\uFFFD", "a\uFFFDb\u{1F600}\uFFFDc\uFFFD"]);
    const { messages } = await kit.telex.ai.conversationMessages(kit.alice, { conversationId: 1 });
    expect(messages[0]?.content).toBe(pieces.at(-1));
  });

  it("never keeps a system prompt", async () => {
    const kit = await createKit();
    await ask(kit, { content: "hi", systemPrompt: "the secret prompt" });
    const everything = [
      await kit.telex.ai.conversations(kit.alice, {}),
      await kit.telex.ai.conversationMessages(kit.alice, { conversationId: 1 }),
    ];
    expect(JSON.stringify(everything)).not.toContain("secret");
  });

  it("ends at its maximum length", async () => {
    const kit = await createKit();
    expect(await ask(kit, { content: "a b c d", maxOutputTokens: 2 })).toMatchObject({
      content: "a b",
      finishReason: "length",
    });
  });

  it("is refused for the conversation of somebody else, and for a model that does not exist", async () => {
    const kit = await createKit();
    const { conversationId } = await ask(kit, { content: "mine" });
    const bobs = (input: Input) => kit.telex.ai.chat(kit.bob, input);
    await expect(bobs({ content: "x", conversationId })).rejects.toMatchObject({ code: "not_found" });
    await expect(chat(kit, { content: "x", model: "gpt-9" })).rejects.toMatchObject({
      code: "not_found",
      reason: "model_unknown",
    });
    await expect(kit.telex.ai.conversationMessages(kit.bob, { conversationId })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(kit.telex.ai.amendConversation(kit.bob, { conversationId, title: "x" })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(kit.telex.ai.deleteConversation(kit.bob, { conversationId })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("is renamed, archived and deleted by its owner", async () => {
    const kit = await createKit();
    const { conversationId } = await ask(kit, { content: "mine" });
    const amended = await kit.telex.ai.amendConversation(kit.alice, { conversationId, title: "Renamed", status: 1 });
    expect(amended).toMatchObject({ title: "Renamed", status: 1 });
    await kit.telex.ai.deleteConversation(kit.alice, { conversationId });
    expect((await kit.telex.ai.conversations(kit.alice, {})).total).toBe(0);
  });
});

describe("a reply that does not complete", () => {
  it("is stopped by its reader: it counts as no reply, but its tokens count", async () => {
    const slow = createSlowModel();
    const kit = await createKit({ models: slow.models });
    const stop = new AbortController();
    const events = all(await chat(kit, { content: "go on" }, stop.signal));
    for (let index = 0; index < 3; index += 1) {
      await ticks();
      slow.go();
    }
    await ticks();
    stop.abort();
    expect((await events).at(-1)).toMatchObject({
      kind: "result",
      finishReason: "stopped",
      content: "word word word ",
    });
    const [replies, tokens] = await used(kit);
    expect(replies).toBe(0);
    expect(tokens).toBeGreaterThan(3);
    expect(slow.state.aborted).toBe(1);
  });

  it("stops the model when its reader goes away", async () => {
    const slow = createSlowModel();
    const kit = await createKit({ models: slow.models });
    const stream = await chat(kit, { content: "go on" });
    setImmediate(() => void ticks().then(slow.go));
    for await (const event of stream) {
      expect(event.kind).toBe("delta");
      break;
    }
    await ticks();
    expect(slow.state.aborted).toBe(1);
    expect((await used(kit))[0]).toBe(0);
    const { messages } = await kit.telex.ai.conversationMessages(kit.alice, { conversationId: 1 });
    expect(messages[0]).toMatchObject({ content: "word ", finishReason: "stopped" });
  });

  it("does not run ahead of a reader that does not read", async () => {
    const slow = createSlowModel();
    const kit = await createKit({ models: slow.models });
    await chat(kit, { content: "go on" });
    await ticks();
    expect(slow.state.calls).toBe(0);
  });

  it("fails as ai_unavailable without the provider's words, leaves no conversation, and frees its share", async () => {
    const slow = createSlowModel();
    slow.state.fail = true;
    const kit = await createKit({ models: slow.models });
    await assign(kit, "count", 1);
    for (let index = 0; index < 3; index += 1) {
      const events = all(await chat(kit, { content: "x" }));
      await ticks();
      slow.go();
      const error = await events.catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "ai_unavailable" });
      expect(TelexError.is(error) && error.message).not.toContain("sk-123");
    }
    expect((await kit.telex.ai.conversations(kit.alice, {})).total).toBe(0);
    expect((await used(kit))[0]).toBe(0);
  });

  it("costs nothing where the model failed before its first piece, and its tokens after that", async () => {
    const slow = createSlowModel();
    const kit = await createKit({ models: slow.models });
    const failing = async (words: number) => {
      slow.state.fail = false;
      const events = all(await chat(kit, { content: "one two" }));
      await ticks();
      for (let word = 0; word < words; word += 1) {
        slow.go();
        await ticks();
      }
      slow.state.fail = true;
      slow.go();
      await expect(events).rejects.toMatchObject({ code: "ai_unavailable" });
      return kit.storage.ai.sumUsage(1, { from: "2026-11-20", to: "2026-11-21" });
    };
    expect(await failing(0)).toEqual({ replies: 0, tokens: 0, started: 0 });
    expect(await failing(1)).toEqual({ replies: 0, tokens: 4, started: 1 });
  });

  it("can be started three times as often as the quota has replies, however often it is stopped", async () => {
    const slow = createSlowModel();
    const kit = await createKit({ models: slow.models });
    await assign(kit, "count", 2);
    const startAndStop = async () => {
      const stop = new AbortController();
      const events = all(await chat(kit, { content: "x" }, stop.signal));
      await ticks();
      slow.go();
      await ticks();
      stop.abort();
      await events;
    };
    for (let index = 0; index < 6; index += 1) await startAndStop();
    const refused: unknown = await startAndStop().catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "quota_exceeded", reason: "replies_started", retryAfter: 56_670 });
    if (!TelexError.is(refused)) throw new TypeError("the chat was not refused");
    expect(describeError(refused, "en")).toBe(
      "At most 6 replies can be started in this period, including stopped ones. The quota is renewed in 56670 s.",
    );
    expect(await used(kit)).toEqual([0, 18]);
    expect(slow.state.calls).toBe(6);
    await assign(kit, "token", 10_000);
    await startAndStop();
    await kit.clock.advance(86_400_000);
    await assign(kit, "count", 2);
    await startAndStop();
  });

  it("is ended after ten minutes, and when Telex closes, which waits for its end", async () => {
    const slow = createSlowModel();
    const kit = await createKit({ models: slow.models });
    const timed = all(await chat(kit, { content: "x" }));
    await ticks();
    await kit.clock.advance(kit.telex.limits.replyTime);
    expect((await timed).at(-1)).toMatchObject({ finishReason: "stopped" });
    const closed = all(await chat(kit, { content: "x" }));
    await ticks();
    await kit.telex.close();
    expect((await closed).at(-1)).toMatchObject({ finishReason: "stopped" });
  });
});

describe("a quota", () => {
  it("gives exactly what is left to many simultaneous chats", async () => {
    const kit = await createKit();
    await assign(kit, "count", 7);
    const chats = await Promise.allSettled(
      Array.from({ length: 100 }, async (_, index) => all(await chat(kit, { content: `m${index}` }))),
    );
    expect(chats.filter(({ status }) => status === "fulfilled")).toHaveLength(7);
    for (const one of chats)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "quota_exceeded" });
    expect((await used(kit))[0]).toBe(7);
  });

  it("of tokens is not exceeded by more than a reply's reserved maximum allows", async () => {
    const kit = await createKit();
    await assign(kit, "token", 100);
    const chats = await Promise.allSettled(
      Array.from({ length: 50 }, async () => all(await chat(kit, { content: "a b c d e", maxOutputTokens: 10 }))),
    );
    expect(chats.filter(({ status }) => status === "fulfilled").length).toBeGreaterThan(0);
    expect((await used(kit))[1]).toBeLessThanOrEqual(100);
  });

  it("refuses before the model is called", async () => {
    const slow = createSlowModel();
    const kit = await createKit({ models: slow.models });
    await assign(kit, "count", 0);
    await expect(chat(kit, { content: "x" })).rejects.toMatchObject({ code: "quota_exceeded", retryAfter: 56_670 });
    expect(slow.state.calls).toBe(0);
  });

  it("frees the share of a reply that never ended once its reservation expires", async () => {
    const slow = createSlowModel();
    const kit = await createKit({ models: slow.models });
    await assign(kit, "count", 1);
    await chat(kit, { content: "never read" });
    await expect(chat(kit, { content: "x" })).rejects.toMatchObject({ code: "quota_exceeded" });
    await kit.clock.advance(kit.telex.limits.reservationLife);
    await expect(chat(kit, { content: "x" })).resolves.toBeDefined();
  });

  it("counts a reply in the period in which it began", async () => {
    const slow = createSlowModel();
    const kit = await createKit({
      models: slow.models,
      limits: { replyTime: 100_000_000, reservationLife: 200_000_000 },
    });
    const stop = new AbortController();
    const events = all(await chat(kit, { content: "x" }, stop.signal));
    await ticks();
    slow.go();
    await ticks();
    await kit.clock.advance(86_400_000);
    stop.abort();
    await events;
    expect((await used(kit))[1]).toBe(0);
    expect(await kit.storage.ai.sumUsage(1, { from: "2026-11-20", to: "2026-11-21" })).toMatchObject({
      replies: 0,
      tokens: 3,
    });
  });

  it("of tokens sets the prompt aside, too: many simultaneous long prompts do not pass by it", async () => {
    const kit = await createKit();
    await assign(kit, "token", 100);
    const content = Array.from({ length: 40 }, () => "w").join(" ");
    const chats = await Promise.allSettled(
      Array.from({ length: 50 }, async () => all(await chat(kit, { content, maxOutputTokens: 10 }))),
    );
    expect(chats.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect((await used(kit))[1]).toBe(100);
  });

  it("is told by day to the operator, for as many days as are asked for", async () => {
    const kit = await createKit();
    await ask(kit, { content: "one two" });
    await kit.clock.advance(2 * 86_400_000);
    await ask(kit, { content: "three" });
    const history = (days?: number) =>
      kit.telex.operator.quota.history(operator, { userId: 1, ...(days === undefined ? {} : { days }) });
    expect(await history()).toEqual([
      { day: "2026-11-20", replies: 1, tokens: 4 },
      { day: "2026-11-22", replies: 1, tokens: 2 },
    ]);
    expect(await history(2)).toEqual([{ day: "2026-11-22", replies: 1, tokens: 2 }]);
    await expect(kit.telex.operator.quota.history(operator, { userId: 9 })).rejects.toMatchObject({
      code: "user_not_found",
    });
  });
});

describe("a completion", () => {
  const complete = (kit: Kit, content: string, more: object = {}) =>
    kit.telex.ai.complete(kit.alice, { messages: [{ role: "user", content }], ...more });

  it("answers these messages alone, counts like a chat, and is kept nowhere", async () => {
    const kit = await createKit();
    const events = [];
    for await (const event of await complete(kit, "a b")) events.push(event);
    expect(events).toMatchObject([
      { kind: "delta", delta: "a" },
      { kind: "delta", delta: " b" },
      { kind: "result", content: "a b", finishReason: "stop", usage: { totalTokens: 4 } },
    ]);
    expect(await used(kit)).toEqual([1, 4]);
    expect((await kit.telex.ai.conversations(kit.alice, {})).total).toBe(0);
  });

  it("is refused where its messages do not fit the model, or its quota is used up", async () => {
    const kit = await createKit();
    await expect(complete(kit, "w ".repeat(9000))).rejects.toMatchObject({
      code: "invalid_request",
      reason: "prompt_too_long",
    });
    await assign(kit, "count", 0);
    await expect(complete(kit, "x")).rejects.toMatchObject({ code: "quota_exceeded" });
  });
});
