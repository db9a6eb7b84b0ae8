import { DatabaseSync } from "node:sqlite";
import { until } from "@telex/conformance/testing";
import type { MessageSearch, Storage } from "@telex/core/storage";
import { expect, it } from "vitest";
import { createSqliteMigrations } from "../src/index.ts";
import { roomMessage } from "./messages.ts";
import { openStorage, temporaryFile } from "./support.ts";

const room = 1;
const term = (number: number): number => Math.imul(number, 0x9e3779b1) >>> 0;
const all = term(2_000_000);

/** Each message has its own term, one that every tenth message has, and one that all have. */
const termsOf = (number: number): number[] => [term(number), term(1_000_000 + (number % 10)), all];

/** Stores numbered messages. */
async function fill({ messages }: Storage, from: number, to: number, groupId = room): Promise<void> {
  for (let first = from; first < to; first += 500) {
    const numbers = Array.from({ length: Math.min(500, to - first) }, (_, index) => first + index);
    await Promise.all(numbers.map((number) => messages.append(roomMessage(groupId, `${number}`))));
  }
}

/** Indexes the messages that the storage lists, in at most this many calls. Returns their numbers. */
async function indexAll({ messages }: Storage, times = Number.MAX_SAFE_INTEGER): Promise<number[]> {
  const indexed: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const some = await messages.listUnindexed();
    if (some.length === 0) break;
    const numbers = some.map(({ seq }) => seq - 1);
    await messages.index(some.map((position) => ({ ...position, terms: termsOf(position.seq - 1) })));
    indexed.push(...numbers);
  }
  return indexed;
}

const asked: MessageSearch = {
  groupIds: [room],
  words: [],
  before: null,
  createdAfter: null,
  createdBefore: null,
  limit: 1000,
};

/** Repeats the call until everything was searched. */
async function find({ messages }: Storage, wanted: number, different: Partial<MessageSearch> = {}) {
  const found: string[] = [];
  let calls = 0;
  for (let before: number | null = null; ; calls += 1) {
    const page = await messages.search({ ...asked, words: [[[wanted]]], before, ...different });
    found.push(...page.messages.map(({ content }) => content));
    if (page.next === null) return { found, calls: calls + 1 };
    before = page.next;
  }
}

const contentsOf = async (storage: Storage, wanted: number): Promise<string[]> => (await find(storage, wanted)).found;

const count = (file: string, table: string): number => {
  const database = new DatabaseSync(file, { readOnly: true });
  const row = database.prepare(`SELECT count(*) AS rows FROM ${table}`).get();
  database.close();
  return Number(row?.["rows"]);
};

/** Chunks that are not in a block. Others exist until they are overwritten. */
const chunksLeft = (file: string): number => {
  const database = new DatabaseSync(file, { readOnly: true });
  const left =
    "SELECT count(*) AS rows FROM message_signatures JOIN search_rooms USING (group_id) WHERE chunk >= blocks * 256";
  const row = database.prepare(left).get();
  database.close();
  return Number(row?.["rows"]);
};

const blocksOf = (file: string): number => {
  const database = new DatabaseSync(file, { readOnly: true });
  const row = database.prepare("SELECT blocks FROM search_rooms").get();
  database.close();
  return Number(row?.["blocks"]);
};

it("blocks of messages find the same messages as single signatures", { timeout: 60_000 }, async () => {
  const file = temporaryFile();
  const storage = await openStorage({ file });
  await fill(storage, 0, 4000);
  await indexAll(storage);
  const before = await contentsOf(storage, term(1_000_007));
  expect(before).toHaveLength(400);
  await fill(storage, 4000, 8192 + 100);
  await indexAll(storage);
  // The last four messages have no terms.
  await until(() => blocksOf(file) === 2 && chunksLeft(file) === 6);
  const after = await contentsOf(storage, term(1_000_007));
  expect(after.filter((content) => Number(content) < 4000)).toEqual(before);
  expect(after.filter((content) => content.endsWith("7"))).toHaveLength(829);
  for (const number of [0, 4095, 4096, 8191, 8192]) {
    expect(await contentsOf(storage, term(number))).toContain(String(number));
  }
  expect((await find(storage, term(5), { createdAfter: Number.MAX_SAFE_INTEGER })).found).toEqual([]);
});

it("chunks are written over those that are in a block", { timeout: 60_000 }, async () => {
  const file = temporaryFile();
  const storage = await openStorage({ file });
  await fill(storage, 0, 4096);
  await indexAll(storage);
  await until(() => blocksOf(file) === 1);
  expect([count(file, "message_signatures"), chunksLeft(file)]).toEqual([256, 0]);
  await fill(storage, 4096, 4256);
  await indexAll(storage);
  expect([count(file, "message_signatures"), chunksLeft(file)]).toEqual([256, 10]);
  for (const number of [0, 4095, 4096, 4255]) expect(await contentsOf(storage, term(number))).toContain(String(number));
});

it("a block that a kill has interrupted is made later", { timeout: 60_000 }, async () => {
  const file = temporaryFile();
  const storage = await openStorage({ file });
  await fill(storage, 0, 4096);
  await indexAll(storage, 31);
  const database = new DatabaseSync(file);
  // Part of a block, as after a kill.
  database.exec("INSERT INTO message_slices VALUES (1, 0, 5, zeroblob(512))");
  database.close();
  await indexAll(storage);
  await until(() => blocksOf(file) === 1 && chunksLeft(file) === 0);
  expect(await contentsOf(storage, term(11))).toContain("11");
  expect(await contentsOf(storage, all)).toHaveLength(4096);
});

it("a kill at any moment leaves an index that can be continued, and a search that finds everything", async () => {
  const file = temporaryFile();
  const first = await openStorage({ file });
  await fill(first, 0, 200);
  expect(await indexAll(first, 1)).toHaveLength(128);
  await first.close();
  const again = await openStorage({ file });
  expect(await contentsOf(again, all)).toHaveLength(200);
  expect(await indexAll(again)).toEqual(Array.from({ length: 64 }, (_, number) => 128 + number));
  expect(await contentsOf(again, all)).toHaveLength(200);
});

it("chunks of several rooms are returned together, and the rooms take turns", async () => {
  const storage = await openStorage({ file: temporaryFile() });
  await fill(storage, 0, 300, 1);
  for (const groupId of [2, 3, 4]) await fill(storage, 0, 40, groupId);
  const roomsOf = async (): Promise<number[]> => {
    const positions = await storage.messages.listUnindexed();
    await storage.messages.index(positions.map((position) => ({ ...position, terms: termsOf(position.seq - 1) })));
    return [1, 2, 3, 4].map((groupId) => positions.filter((position) => position.groupId === groupId).length);
  };
  expect(await roomsOf()).toEqual([128, 0, 0, 0]);
  await fill(storage, 300, 600, 1);
  expect(await roomsOf()).toEqual([32, 32, 32, 32]);
  expect(await roomsOf()).toEqual([128, 0, 0, 0]);
  expect(await roomsOf()).toEqual([128, 0, 0, 0]);
  expect((await find(storage, term(39), { groupIds: [1, 2, 3, 4] })).found).toContain("39");
});

it("returned messages are only indexed all together", async () => {
  const storage = await openStorage({ file: temporaryFile() });
  await fill(storage, 0, 64);
  const some = await storage.messages.listUnindexed();
  const terms = some.map(({ groupId, seq, id }) => ({ groupId, seq, id, terms: [all] }));
  await storage.messages.index(terms.slice(0, 20));
  await storage.messages.index(terms.slice(20));
  expect(await storage.messages.listUnindexed()).toEqual(some);
  await storage.messages.index(terms);
  expect(await storage.messages.listUnindexed()).toEqual([]);
});

it("messages of an earlier version are found, and get their terms later", async () => {
  const file = temporaryFile();
  const earlier = await openStorage({ file });
  await fill(earlier, 0, 1500);
  await earlier.close();
  const migrations = createSqliteMigrations({ file });
  migrations.down(12);
  migrations.up();
  const storage = await openStorage({ file });
  const page = await storage.messages.search({ ...asked, words: [[[term(7)]]] });
  expect(page.isComplete).toBe(false);
  expect(await contentsOf(storage, term(7))).toContain("7");
  await fill(storage, 1500, 1503);
  expect(await indexAll(storage)).toHaveLength(1488);
  expect((await storage.messages.search({ ...asked, words: [[[term(7)]]] })).isComplete).toBe(true);
  expect(await contentsOf(storage, all)).toHaveLength(1503);
  expect(await contentsOf(storage, term(7))).toHaveLength(16);
});

it(
  "messages of an earlier version are renewed where their terms are, also after a kill",
  { timeout: 60_000 },
  async () => {
    const file = temporaryFile();
    const before = await openStorage({ file });
    await fill(before, 0, 4096 + 40);
    await indexAll(before);
    await until(() => blocksOf(file) === 1);
    await before.close();
    const migrations = createSqliteMigrations({ file });
    migrations.down(25);
    migrations.up();
    expect(migrations.status().outdated).toBe(4136);
    const renewed = (seq: number) => term(3_000_000 + seq);
    let storage = await openStorage({ file });
    let listed = 0;
    for (let turn = 0; ; turn += 1) {
      const some = await storage.messages.listOutdated();
      if (some.length === 0) break;
      listed += some.length;
      await storage.messages.renew(
        some.map((one) => {
          const isChanged = [5, 4000, 4100, 4136].includes(one.seq);
          const fresh = { pinyin: "new", nicknamePinyin: "new", terms: [...termsOf(one.seq - 1), renewed(one.seq)] };
          return { ...one, fresh: isChanged ? fresh : null };
        }),
      );
      if (turn === 30) storage = await openStorage({ file });
    }
    expect([listed, migrations.status().outdated]).toEqual([4136, 0]);
    for (const seq of [5, 4000, 4100, 4136]) {
      expect(await contentsOf(storage, renewed(seq))).toContain(String(seq - 1));
      expect(await contentsOf(storage, term(seq - 1))).toContain(String(seq - 1));
    }
    await fill(storage, 4136, 4137);
    expect(await storage.messages.listOutdated()).toEqual([]);
  },
);

it("a call looks at a bounded number of rooms, and shows their messages by id", { timeout: 60_000 }, async () => {
  const storage = await openStorage({ file: temporaryFile() });
  const rooms = Array.from({ length: 4000 }, (_, index) => index + 1);
  await Promise.all(rooms.map((groupId) => fill(storage, 0, 1, groupId)));
  const { messages, next } = await storage.messages.search({ ...asked, groupIds: rooms, words: [[[all]]] });
  expect(messages.length).toBeGreaterThan(20);
  expect(messages.length).toBeLessThan(2500);
  expect(next).not.toBe(null);
  const { found, calls } = await find(storage, all, { groupIds: rooms });
  expect(found).toHaveLength(4000);
  expect(calls).toBeLessThan(5);
});

/** How many bits of the signature of a message are set, in a chunk or a block. */
function bitsOf(file: string, seq: number): number {
  const database = new DatabaseSync(file, { readOnly: true });
  const position = (seq - 1) % 4096;
  const chunk = database.prepare("SELECT bits FROM message_signatures WHERE chunk = ?").get((seq - 1) >> 4)?.["bits"];
  const slices = database.prepare("SELECT bits FROM message_slices WHERE block = ?").all((seq - 1) >> 12);
  database.close();
  const at = ((seq - 1) & 15) * 256;
  const own: Uint8Array = chunk instanceof Uint8Array ? chunk.subarray(at, at + 256) : new Uint8Array();
  const inBlock = slices.filter(
    ({ bits }) => bits instanceof Uint8Array && ((bits[position >> 3] ?? 0) >> (position & 7)) & 1,
  );
  return own.reduce((sum, byte) => sum + byte, 0) + inBlock.length;
}

it("keeps no text of a recalled message", { timeout: 60_000 }, async () => {
  const file = temporaryFile();
  const storage = await openStorage({ file });
  await fill(storage, 0, 4200);
  const { messages } = await storage.messages.page({ groupId: room, before: null, limit: 5000 });
  const recall = async (seq: number): Promise<void> => {
    const messageId = messages.find((message) => message.seq === seq)?.id ?? 0;
    const recalled = { groupId: room, messageId, operatorId: null, external: true, ownSince: null };
    await storage.messages.recall({ ...recalled, content: "[]", pinyin: "[]" });
  };
  await recall(10);
  await indexAll(storage);
  await until(() => blocksOf(file) === 1);
  expect([bitsOf(file, 9) > 0, bitsOf(file, 10)]).toEqual([true, 0]);
  expect([bitsOf(file, 20) > 0, bitsOf(file, 4100) > 0]).toEqual([true, true]);
  await recall(20);
  await recall(4100);
  expect([bitsOf(file, 20), bitsOf(file, 4100)]).toEqual([0, 0]);
  expect(await contentsOf(storage, term(18))).toContain("18");
  expect(await contentsOf(storage, term(19))).not.toContain("19");
});
