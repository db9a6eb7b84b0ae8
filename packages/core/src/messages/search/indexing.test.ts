import { createMemoryStorage } from "@telex/storage-memory";
import { bytesLeft } from "test-support/young-garbage";
import { expect, it } from "vitest";
import { messageIn } from "@telex/conformance";
import { createLeases } from "@telex/ground/leases";
import { createLogCollector, createManualClock, ticks } from "@telex/conformance/testing";
import { createIndexing } from "./indexing.ts";
import type { MessagePosition } from "./store.ts";

function createBench() {
  const clock = createManualClock();
  const { messages } = createMemoryStorage({ clock });
  const log = createLogCollector();
  const seen = { looks: 0, fails: false, batches: Array<number>(), meanwhile: (): Promise<void> => Promise.resolve() };
  const store = {
    listUnindexed() {
      seen.looks += 1;
      return seen.fails ? Promise.reject(new Error("The storage is locked.")) : messages.listUnindexed();
    },
    findMessage: (groupId: number, id: number) => messages.findMessage(groupId, id),
    async index(terms: Parameters<typeof messages.index>[0]) {
      seen.batches.push(terms.length);
      await seen.meanwhile();
      await messages.index(terms);
    },
  };
  const indexing = createIndexing({ store, search: { terms: () => [1] }, clock, log, leases: null });
  const unindexed = async (): Promise<number> => (await messages.listUnindexed()).length;
  const send = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left -= 1) {
      const appended = await messages.append(messageIn(1, "text"));
      if ("message" in appended) indexing.stored(appended.message);
    }
  };
  return { clock, log, seen, indexing, unindexed, send };
}

it("begins again after the storage has failed, until it is ended", async () => {
  const { clock, seen, indexing } = createBench();
  seen.fails = true;
  indexing.begin();
  await ticks();
  expect(seen.looks).toBe(1);
  await clock.advance(30_000);
  expect(seen.looks).toBe(2);
  seen.fails = false;
  await clock.advance(30_000);
  await clock.advance(60_000);
  expect(seen.looks).toBe(3);
  seen.fails = true;
  indexing.begin();
  await ticks();
  indexing.end();
  await clock.advance(60_000);
  expect(seen.looks).toBe(4);
});

it("looks for messages after some were stored, and says only what it found at the start", async () => {
  const { log, seen, indexing, unindexed, send } = createBench();
  await send(3);
  indexing.begin();
  await ticks();
  expect(log.lines).toEqual(['info messages.indexed {"messages":3}']);
  const { looks } = seen;
  await send(120);
  await ticks();
  expect([seen.looks, await unindexed()]).toEqual([looks, 120]);
  await send(300);
  await ticks();
  expect(await unindexed()).toBeLessThan(128);
  expect(log.lines).toHaveLength(1);
  indexing.end();
});

it("leaves what is stored meanwhile for the next time, when there is more of it", async () => {
  const { seen, indexing, unindexed, send } = createBench();
  seen.meanwhile = () => send(20);
  await send(128);
  await ticks();
  expect([seen.batches, await unindexed()]).toEqual([[128], 20]);
  seen.meanwhile = () => Promise.resolve();
  await send(107);
  await ticks();
  expect([seen.batches, await unindexed()]).toEqual([[128], 127]);
  await send(1);
  await ticks();
  expect([seen.batches, await unindexed()]).toEqual([[128, 128], 0]);
  indexing.end();
});

it("goes on while as many are stored meanwhile as it looks for", async () => {
  const { seen, indexing, unindexed, send } = createBench();
  seen.meanwhile = async () => {
    seen.meanwhile = () => Promise.resolve();
    await send(130);
  };
  await send(128);
  await ticks();
  expect([seen.batches, await unindexed()]).toEqual([[128, 128, 2], 0]);
  indexing.end();
});

it("does not look while the storage fails, however many messages are stored", async () => {
  const { clock, seen, indexing, unindexed, send } = createBench();
  seen.fails = true;
  indexing.begin();
  await ticks();
  await send(200);
  await ticks();
  expect(seen.looks).toBe(1);
  seen.fails = false;
  await clock.advance(30_000);
  expect(await unindexed()).toBe(0);
  indexing.end();
});

it("keeps no message from the collection of young garbage", async () => {
  const unindexed: MessagePosition[] = [];
  const store = {
    listUnindexed: () => Promise.resolve(unindexed.splice(0)),
    findMessage: () => Promise.resolve(null),
    index: () => Promise.resolve(),
  };
  const indexing = createIndexing({
    store,
    search: { terms: () => [] },
    clock: createManualClock(),
    log: createLogCollector(),
    leases: null,
  });
  let id = 0;
  const storeSome = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left -= 128) {
      for (let index = 0; index < 128; index += 1) {
        id += 1;
        const stored = { ...messageIn(1, `text ${id}`).message, id, seq: id, mentions: null, extras: null, changed: 0 };
        unindexed.push(stored);
        indexing.stored(stored);
      }
      await ticks();
    }
  };
  expect(await bytesLeft(128 * 40, storeSome)).toBeLessThan(50);
  indexing.end();
});

it("goes on in place of a server that was killed, at the end of its lease", async () => {
  const clock = createManualClock();
  const { messages, leases: store } = createMemoryStorage({ clock });
  const log = createLogCollector();
  const leaseLife = 30_000;
  const until = clock.now() + leaseLife;
  await store.takeLease({ name: "indexing", holder: "killed", now: clock.now(), until, note: "" });
  await messages.append(messageIn(1, "text"));
  const leases = createLeases({ store, clock, limits: { leaseLife }, log, server: "next" });
  const indexing = createIndexing({ store: messages, search: { terms: () => [1] }, clock, log, leases });
  indexing.begin();
  await clock.advance(leaseLife - 1);
  expect(await messages.listUnindexed()).toHaveLength(1);
  await clock.advance(leaseLife / 3);
  expect(await messages.listUnindexed()).toEqual([]);
  expect(await store.listLeases("indexing")).toMatchObject([{ until: 0 }]);
  indexing.end();
});

it("does not read messages again that the storage has returned", async () => {
  const clock = createManualClock();
  const message = { ...messageIn(1, "text").message, id: 1, seq: 1 };
  const unindexed = [message];
  const indexed: unknown[] = [];
  const store = {
    listUnindexed: () => Promise.resolve(unindexed.splice(0)),
    findMessage: () => Promise.reject(new Error("It was read again.")),
    index: (terms: unknown) => Promise.resolve(void indexed.push(terms)),
  };
  const search = { terms: ({ content }: { readonly content: string }) => [content.length] };
  const indexing = createIndexing({ store, search, clock, log: createLogCollector(), leases: null });
  indexing.begin();
  await ticks();
  expect(indexed).toEqual([[{ groupId: 1, seq: 1, id: 1, terms: [message.content.length] }]]);
});
