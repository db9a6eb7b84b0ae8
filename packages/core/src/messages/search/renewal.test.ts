import { createMemoryBlobs } from "@telex/blobs/memory";
import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it, onTestFinished } from "vitest";
import { messageIn } from "@telex/conformance";
import { createSharpEngine } from "@telex/image-text/sharp";
import { createLogCollector, createManualClock, createScene, ticks, until } from "@telex/conformance/testing";
import { createLeases, type Leases } from "@telex/ground/leases";
import { createPinyin, createSearchReader } from "@telex/search-terms";
import { createRenewal } from "./renewal.ts";
import type { RenewedMessage } from "./store.ts";

const written = (text: string): string => JSON.stringify([{ text: { text } }, { at: { ext: "1", name: "車" } }]);

const open = async (storage = createMemoryStorage()) => {
  const scene = await createScene({ storage, blobs: createMemoryBlobs(), images: createSharpEngine() });
  onTestFinished(() => scene.telex.close());
  return { ...scene, storage };
};

it("messages of an earlier version get the pinyin of today, and are found by it", async () => {
  const from = await open();
  const alice = await from.person("Alice");
  const groupId = await from.room([alice]);
  const caller = await from.caller(alice);
  for (let number = 0; number < 100; number += 1) {
    await from.telex.messages.send(caller, { groupId, groupType: 1, message: `車站 ${number}` });
  }
  const target = createMemoryStorage();
  for (const kind of ["users", "groups", "members", "tokens"] as const) {
    await target.records.put(kind, await from.storage.records.list(kind, { after: null, limit: 1000 }));
  }
  const messages = await from.storage.records.list("messages", { after: null, limit: 1000 });
  await target.records.put(
    "messages",
    messages.map((one) => ({ ...one, pinyin: one.pinyin.replace("che1", "ju1") })),
  );
  const to = await open(target);
  await until(() => to.log.lines.includes('info messages.renewed {"messages":100}'));
  const history = await to.telex.messages.history(caller, { groupId, groupType: 1, pageSize: 100 });
  expect(history.groupMessages.map(({ pinyin }) => pinyin)).toEqual(messages.toReversed().map(({ pinyin }) => pinyin));
  for (const q of ["车站", "車站", "chezhan", "che1zhan4"]) {
    expect((await to.telex.messages.search(caller, { q, pageSize: 100 })).list).toHaveLength(100);
  }
  expect(await target.messages.listOutdated()).toEqual([]);
});

function createBench(texts: readonly string[], clock = createManualClock(), leases: Leases | null = null) {
  const log = createLogCollector();
  const pinyin = createPinyin(10);
  const outdated = texts.map((text, index) => ({
    ...messageIn(1, text).message,
    mentions: null,
    extras: null,
    changed: 0,
    content: written(text),
    nickname: "單田芳",
    id: index + 1,
    seq: index + 1,
  }));
  const seen = { fails: false, leaves: (id: number) => id < 0, looks: 0, steps: Array<readonly RenewedMessage[]>() };
  let wait = Promise.resolve();
  const store = {
    async listOutdated() {
      seen.looks += 1;
      await wait;
      if (seen.fails) throw new Error("The storage is locked.");
      return outdated.slice(0, 64);
    },
    renew(messages: readonly RenewedMessage[]) {
      seen.steps.push(messages);
      for (const { id } of messages.filter((one) => !seen.leaves(one.id))) {
        outdated.splice(
          outdated.findIndex((one) => one.id === id),
          1,
        );
      }
      return Promise.resolve();
    },
  };
  const search = createSearchReader((character) => pinyin.readingsOf(character));
  const renewal = createRenewal({ store, pinyin, search, clock, log, leases });
  /** The storage does not answer until what this returns is called. */
  const hang = (): (() => void) => {
    const answer = Promise.withResolvers<void>();
    wait = answer.promise;
    return answer.resolve;
  };
  return { clock, log, seen, renewal, hang };
}

it("changes few messages in one step, and only their texts", async () => {
  const { seen, renewal } = createBench(Array.from({ length: 20 }, () => "車站"));
  renewal.begin();
  await until(() => seen.steps.flat().length === 20);
  expect(seen.steps.map(({ length }) => length)).toEqual([8, 8, 4]);
  expect(seen.steps[0]?.[0]?.fresh).toMatchObject({
    pinyin: '[{"text":{"text":"che1 zhan4"}},{"at":{"ext":"1","name":"車"}}]',
    nicknamePinyin: "shan4 tian2 fang1",
  });
  renewal.end();
});

it("begins again after the storage has failed, and looks again later", async () => {
  const { clock, log, seen, renewal } = createBench(["車站"]);
  seen.fails = true;
  renewal.begin();
  await ticks();
  expect(log.lines).toEqual([expect.stringContaining("messages.renewal_failed")]);
  seen.fails = false;
  await clock.advance(30_000);
  await until(() => seen.steps.length === 1);
  seen.fails = true;
  await clock.advance(600_000);
  expect(log.lines.filter((line) => line.includes("renewal_failed"))).toHaveLength(2);
  renewal.end();
  await clock.advance(600_000);
  expect(log.lines.filter((line) => line.includes("renewal_failed"))).toHaveLength(2);
});

it("tries messages that the storage has left again after a pause, and the others before", async () => {
  const { clock, log, seen, renewal } = createBench(Array.from({ length: 100 }, () => "車站"));
  seen.leaves = (id) => id <= 40;
  renewal.begin();
  await until(() => seen.steps.flat().length >= 100);
  await ticks();
  expect(seen.steps.flat().map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  seen.leaves = (id) => id < 0;
  await clock.advance(5000);
  await until(() => log.lines.length > 0);
  expect(seen.steps.flat()).toHaveLength(140);
  expect(log.lines).toEqual(['info messages.renewed {"messages":100}']);
  renewal.end();
});

it("runs once, although its lease was lost and taken again, and takes none after its end", async () => {
  const clock = createManualClock();
  const { leases: store } = createMemoryStorage({ clock });
  const leaseLife = 30_000;
  const leases = createLeases({ store, clock, limits: { leaseLife }, log: createLogCollector(), server: "first" });
  const { seen, renewal, hang } = createBench(["車站"], clock, leases);
  const answer = hang();
  renewal.begin();
  await ticks();
  const [own] = await store.listLeases("renewal");
  expect(seen.looks).toBe(1);
  await store.releaseLease({ name: "renewal", fence: own?.fence ?? 0, note: "" });
  for (let seconds = 0; seconds < 60; seconds += 1) await clock.advance(1000);
  const [again] = await store.listLeases("renewal");
  expect(again?.fence).toBeGreaterThan(own?.fence ?? 0);
  expect(seen.looks).toBe(1);
  answer();
  await until(() => seen.steps.length === 1);
  await ticks();
  expect(await store.listLeases("renewal")).toMatchObject([{ until: 0 }]);
  renewal.end();
  renewal.begin();
  for (let seconds = 0; seconds < 700; seconds += 1) await clock.advance(1000);
  expect(await store.listLeases("renewal")).toMatchObject([{ fence: again?.fence, until: 0 }]);
});
