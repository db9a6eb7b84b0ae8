import { createMemoryBlobs } from "@telex/blobs/memory";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it } from "vitest";
import { echoModel } from "../src/ai/model.ts";
import { type ChatModel, createTelex } from "../src/index.ts";
import { createManualClock, type ManualClock, ticks } from "@telex/conformance/testing";
import type { AiStore } from "../src/storage.ts";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createKit } from "./kit.ts";

const engine = createSharpEngine();
const today = { from: "2026-11-20", to: "2026-11-21" };
const lease = 15_000;
/** A fifth of the lease: then a reply is stored. */
const save = 3000;

/** A model that says a word each time the test opens its gate, and ends after the last one. */
function createModel() {
  const gates: (() => void)[] = [];
  const state = { isLast: false };
  const model: ChatModel = {
    ...echoModel,
    async *reply({ signal }) {
      for (;;) {
        await new Promise<void>((resolve, reject) => {
          gates.push(resolve);
          signal.addEventListener("abort", () => reject(new Error("aborted")));
        });
        yield { kind: "delta", delta: "word " };
        if (state.isLast) break;
      }
      yield { kind: "end", finishReason: "stop", usage: { promptTokens: 2, completionTokens: 2, estimated: false } };
    },
  };
  const speak = async (): Promise<void> => {
    await ticks();
    gates.splice(0).forEach((open) => open());
    await ticks();
  };
  const finish = async (): Promise<void> => {
    state.isLast = true;
    await speak();
  };
  return { models: new Map([["slow", model]]), speak, finish };
}

/** A store that the server cannot reach for a while: what it calls then happens afterwards. */
function createStall(ai: AiStore) {
  const stall = { reached: Promise.resolve(), saves: 0 };
  const later = <Answer>(run: () => Promise<Answer>): Promise<Answer> => stall.reached.then(run);
  const stalled: AiStore = {
    ...ai,
    settle: (asked) => later(() => ai.settle(asked)),
    settleExpired: (asked) => later(() => ai.settleExpired(asked)),
    touchReservation(asked) {
      stall.saves += 1;
      return later(() => ai.touchReservation(asked));
    },
  };
  return { stall, ai: stalled };
}

/** In steps, between which the servers do what is due. */
async function pass(clock: ManualClock, time: number): Promise<void> {
  for (let passed = 0; passed < time; passed += save) await clock.advance(save);
}

type Kit = Awaited<ReturnType<typeof createKit>>;

/** A question in a conversation. */
const chat = async ({ telex, alice }: Kit, signal: AbortSignal): Promise<AsyncIterable<unknown>> =>
  await telex.ai.chat(alice, { content: "one two" }, { signal });

/** A question about a room, such as for a summary. */
const aboutRoom = async ({ telex }: Kit, signal: AbortSignal): Promise<AsyncIterable<unknown>> => {
  const listen = () => Promise.resolve([{ role: "user" as const, content: "one two" }]);
  return await Promise.resolve(telex.roomModels.answering.answer(1, "slow", listen, { signal }));
};

/** Three servers on one store. A question to the first one is being answered: one word was said. */
async function createServers(ask = chat) {
  const clock = createManualClock();
  const storage = { ...createMemoryStorage({ clock }), close: () => Promise.resolve() };
  const { stall, ai } = createStall(storage.ai);
  const { models, speak, finish } = createModel();
  const kit = await createKit({ clock, storage: { ...storage, ai }, models });
  for (let server = 0; server < 2; server += 1)
    await createTelex({ storage, blobs: createMemoryBlobs({ clock }), images: engine, clock, checkOutput: true });
  const stop = new AbortController();
  const read = async (): Promise<unknown> => {
    let last: unknown;
    for await (const event of await ask(kit, stop.signal)) last = event;
    return last;
  };
  const reply = read();
  await speak();
  const kept = async () => {
    const page = await storage.ai.pageTurns({ conversationId: 1, userId: 1, before: null, limit: 10 });
    const messages = page?.messages.map(({ content, finishReason }) => [content, finishReason]);
    return { messages, used: await storage.ai.sumUsage(1, today) };
  };
  return { clock, stall, speak, finish, reply, stop, kept };
}

const nothing = { messages: [], used: { replies: 0, tokens: 0, started: 0 } };
const oneWord = {
  messages: [
    ["word ", "failed"],
    ["one two", null],
  ],
  used: { replies: 0, tokens: 4, started: 1 },
};

describe("servers on one store", () => {
  it("keep what was said on a killed one, and settle its share, once", async () => {
    const { clock, stall, speak, kept } = await createServers();
    await clock.advance(save);
    stall.reached = new Promise(() => {});
    await speak();
    await clock.advance(lease - 1);
    expect(await kept()).toEqual(nothing);
    await pass(clock, 2 * lease);
    expect(await kept()).toEqual(oneWord);
  });

  it("count what a model had read and said about a room on a killed one, once", async () => {
    const { clock, stall, speak, kept } = await createServers(aboutRoom);
    await clock.advance(save);
    stall.reached = new Promise(() => {});
    await speak();
    await pass(clock, 2 * lease);
    expect((await kept()).used).toEqual(oneWord.used);
    await pass(clock, 2 * lease);
    expect((await kept()).used).toEqual(oneWord.used);
  });

  it("end the reply of one that was only slow, and count and keep nothing twice", async () => {
    const { clock, stall, speak, reply, kept } = await createServers();
    await clock.advance(save);
    const back = Promise.withResolvers<void>();
    stall.reached = back.promise;
    await pass(clock, 2 * lease);
    expect(await kept()).toEqual(oneWord);
    await speak();
    back.resolve();
    expect(await reply).toMatchObject({ kind: "result", content: "word word ", finishReason: "stopped" });
    await pass(clock, 2 * lease);
    expect(await kept()).toEqual(oneWord);
  });

  it("do not say that a reply is complete if another one has kept a part of it", async () => {
    const { clock, stall, finish, reply, kept } = await createServers();
    await clock.advance(save);
    const back = Promise.withResolvers<void>();
    stall.reached = back.promise;
    await pass(clock, 2 * lease);
    await finish();
    back.resolve();
    expect(await reply).toMatchObject({ kind: "result", content: "word word ", finishReason: "stopped" });
    expect(await kept()).toEqual(oneWord);
  });

  it("leave a reply alone whose server lives, however long the model says nothing", async () => {
    const { clock, stop, reply, kept } = await createServers();
    await pass(clock, 4 * lease);
    expect(await kept()).toEqual(nothing);
    stop.abort();
    expect(await reply).toMatchObject({ finishReason: "stopped" });
    expect(await kept()).toEqual({ ...oneWord, messages: [["word ", "stopped"], oneWord.messages[1]] });
  });

  it("keep the first word of one that is killed as soon as the word was said", async () => {
    const { clock, stall, speak, kept } = await createServers();
    await clock.advance(0);
    stall.reached = new Promise(() => {});
    await speak();
    await pass(clock, 2 * lease);
    expect(await kept()).toEqual(oneWord);
  });

  it("store a reply when it begins to speak, and no further piece of one that ends soon", async () => {
    const { clock, stall, speak, stop, reply } = await createServers();
    for (let word = 0; word < 5; word += 1) {
      await clock.advance(save / 10);
      await speak();
    }
    stop.abort();
    await reply;
    await clock.advance(lease);
    expect(stall.saves).toBe(1);
  });
});
