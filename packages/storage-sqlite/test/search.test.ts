import { DatabaseSync } from "node:sqlite";
import { ticks, until } from "@telex/core/testing";
import type { MessageSearch, Storage } from "@telex/core/storage";
import { expect, it } from "vitest";
import { createSqliteMigrations } from "../src/index.ts";
import { roomMessage } from "./messages.ts";
import { openStorage, temporaryFile } from "./support.ts";

const room = 1;
const term = (number: number): number => Math.imul(number, 0x9e3779b1) >>> 0;

/** Stores messages, each with a term of its own, one of ten, and one of all. */
async function fill({ messages }: Storage, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += 500) {
    const appends = Array.from({ length: Math.min(500, to - first) }, (_, index) => {
      const number = first + index;
      const terms = [term(number), term(1_000_000 + (number % 10)), term(2_000_000)];
      return { ...roomMessage(room, `${number}`), terms };
    });
    await Promise.all(appends.map((append) => messages.append(append)));
  }
}

const find = async (
  { messages }: Storage,
  wanted: number,
  different: Partial<MessageSearch> = {},
): Promise<string[]> => {
  const asked = { groupIds: [room], words: [[[wanted]]], createdAfter: null, createdBefore: null, limit: 1000 };
  const found: string[] = [];
  for (let before: number | null = null; ;) {
    const page = await messages.search({ ...asked, before, ...different });
    found.push(...page.messages.map(({ content }) => content));
    if (page.next === null) return found;
    before = page.next;
  }
};

const count = (file: string, table: string): number => {
  const database = new DatabaseSync(file, { readOnly: true });
  const row = database.prepare(`SELECT count(*) AS rows FROM ${table}`).get();
  database.close();
  return Number(row?.["rows"]);
};

it("blocks of messages find the same as single ones", { timeout: 60_000 }, async () => {
  const file = temporaryFile();
  const storage = await openStorage({ file });
  await fill(storage, 0, 4000);
  expect(count(file, "message_blocks")).toBe(0);
  const before = await find(storage, term(1_000_007));
  await fill(storage, 4000, 8192 + 100);
  await until(() => count(file, "message_blocks") === 2 && count(file, "message_signatures") <= 13);
  const after = await find(storage, term(1_000_007));
  expect(after.filter((content) => Number(content) < 4000)).toEqual(before);
  expect(after).toContain("8287");
  expect(after.filter((content) => content.endsWith("7"))).toHaveLength(829);
  for (const number of [0, 4095, 4096, 8191, 8192]) {
    expect(await find(storage, term(number))).toContain(String(number));
  }
});

it("a block that a kill has interrupted is made later", { timeout: 60_000 }, async () => {
  const file = temporaryFile();
  const storage = await openStorage({ file });
  await fill(storage, 0, 4090);
  const database = new DatabaseSync(file);
  // Part of a block, as a kill leaves it.
  database.exec("INSERT INTO message_slices VALUES (1, 0, 5, zeroblob(512))");
  database.close();
  await fill(storage, 4090, 4608);
  await until(() => count(file, "message_blocks") === 1);
  expect(await find(storage, term(11))).toContain("11");
  expect((await find(storage, term(2_000_000))).length).toBe(4608);
});

it("a block is made of full rows only", { timeout: 60_000 }, async () => {
  const file = temporaryFile();
  const earlier = await openStorage({ file });
  await fill(earlier, 0, 8188);
  await earlier.close();
  const migrations = createSqliteMigrations({ file });
  migrations.down(13);
  migrations.up();
  const storage = await openStorage({ file });
  const all = await storage.messages.listUnindexed(10_000);
  await storage.messages.index(
    all.map(({ groupId, id, content }) => ({ groupId, id, terms: [term(Number(content)), term(2_000_000)] })),
  );
  // The second block lacks four messages, those of half a row.
  await until(() => count(file, "message_blocks") > 0 && count(file, "message_signatures") <= 512);
  await ticks();
  await fill(storage, 8188, 8704);
  await until(() => count(file, "message_blocks") === 2 && count(file, "message_signatures") === 64);
  for (const number of [8187, 8188, 8191, 8192]) {
    expect(await find(storage, term(number))).toContain(String(number));
  }
});

it("messages of an earlier version get their terms later, and a search says so", async () => {
  const file = temporaryFile();
  const earlier = await openStorage({ file });
  await fill(earlier, 0, 30);
  await earlier.close();
  const migrations = createSqliteMigrations({ file });
  migrations.down(12);
  migrations.up();
  const storage = await openStorage({ file });
  const asked = {
    groupIds: [room],
    words: [[[term(2_000_000)]]],
    before: null,
    createdAfter: null,
    createdBefore: null,
  };
  expect(await storage.messages.search({ ...asked, limit: 5 })).toMatchObject({ messages: [], isComplete: false });
  await fill(storage, 30, 33);
  expect(await find(storage, term(2_000_000))).toEqual(["32", "31", "30"]);
  const some = await storage.messages.listUnindexed(20);
  await storage.messages.index(some.map(({ groupId, id }) => ({ groupId, id, terms: [term(2_000_000)] })));
  await storage.close();
  const again = await openStorage({ file });
  const rest = await again.messages.listUnindexed(20);
  expect(rest.map(({ content }) => Number(content))).toEqual([20, 21, 22, 23, 24, 25, 26, 27, 28, 29]);
  await again.messages.index(rest.map(({ groupId, id }) => ({ groupId, id, terms: [term(2_000_000)] })));
  expect(await again.messages.listUnindexed(20)).toEqual([]);
  expect((await again.messages.search({ ...asked, limit: 5 })).isComplete).toBe(true);
  expect(await find(again, term(2_000_000))).toHaveLength(33);
});
