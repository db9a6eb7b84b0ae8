import type { Storage } from "@telex/core";
import { expect, it } from "vitest";
import { createSqliteStorage, verifySqlite } from "../src/index.ts";
import { printer, roomMessage } from "./messages.ts";
import { openStorage, startChild, temporaryFile } from "./support.ts";

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

const missing = (wanted: readonly string[], present: readonly string[]): string[] => {
  const known = new Set(present);
  return wanted.filter((word) => !known.has(word));
};

async function contentsOf({ messages }: Storage, groupId: number): Promise<string[]> {
  const page = await messages.page({ groupId, before: null, limit: 1_000_000 });
  expect(page.messages.map(({ seq }) => seq)).toEqual(upTo(page.messages.length).toReversed());
  return page.messages.map(({ content }) => content).toReversed();
}

it("two processes write to one file at once, and each sees what the other did", { timeout: 30_000 }, async () => {
  const file = temporaryFile();
  const storage = await openStorage({ file, exclusive: true });
  await storage.users.appendUser({ nickname: "Ada", ext: null, phone: null, avatar: null, createdAt: 1 });
  const child = startChild("append.ts", file, "400");
  await new Promise((resolve) => child.lines.once("line", resolve));
  const ids: number[] = [];
  for (let count = 0; count < 400; count += 1) {
    const appended = await storage.messages.append(roomMessage(1, `parent ${count}`));
    if (appended.outcome === "appended") ids.push(appended.message.id);
  }
  await child.exited;
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  const contents = await contentsOf(storage, 1);
  const from = (who: string): string[] => contents.filter((content) => content.startsWith(who));
  expect(from("parent")).toEqual(upTo(400).map((number) => `parent ${number - 1}`));
  expect(from("child")).toEqual(upTo(400).map((number) => `child ${number - 1}`));
  expect(await storage.users.findUser(1)).toMatchObject({ nickname: "Renamed" });
  expect(await storage.changes.since(0)).toEqual([{ seq: 1, kind: "user", key: "1" }]);
});

it(
  "a server that was killed lets the next one in at once, and nothing it said is lost",
  { timeout: 120_000 },
  async () => {
    const file = temporaryFile();
    const said = new Map<string, string[]>();
    for (let round = 0; round < 12; round += 1) {
      const child = startChild("work-until-killed.ts", file, String(round));
      let left = 1 + ((round * 61) % 400);
      for await (const line of child.lines) {
        const [kind = "", word = ""] = line.split(" ");
        said.set(kind, [...(said.get(kind) ?? []), word]);
        if ((left -= 1) === 0) child.kill();
      }
      await child.exited;
      await checkSaid(file, said);
    }
    expect(verifySqlite({ file })).toEqual([]);
  },
);

/** Everything that was said is there, once. */
async function checkSaid(file: string, said: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const storage = await createSqliteStorage({ file, exclusive: true });
  const words = (kind: string): readonly string[] => said.get(kind) ?? [];
  try {
    const contents = await contentsOf(storage, 1);
    expect(new Set(contents).size).toBe(contents.length);
    expect(missing(words("message"), contents)).toEqual([]);
    await checkQueue(storage, words("queued"), words("delivered").map(Number));
    for (const word of words("code")) expect(await storage.bucket.findCode(word)).not.toBeNull();
    for (const word of words("file")) {
      expect(await storage.bucket.findFile(word)).toMatchObject({ md5: word });
      expect(await storage.bucket.findCode(word)).toMatchObject({ used: true });
    }
    for (const word of words("token")) expect(await storage.tokens.findToken(word)).toMatchObject({ scopes: ["chat"] });
    const used = await storage.ai.sumUsage(7, { from: "2026-11-21", to: "2026-11-22" });
    expect(used.replies).toBeGreaterThanOrEqual(words("settled").length);
    expect(used.tokens).toBe(used.replies * 10);
  } finally {
    await storage.close();
  }
}

async function checkQueue(
  { teleprinter }: Storage,
  queued: readonly string[],
  delivered: readonly number[],
): Promise<void> {
  const page = await teleprinter.page({ ...printer, before: null, limit: 1_000_000 });
  if (page.outcome !== "page") return expect(queued).toEqual([]);
  const contents = page.messages.map(({ content }) => content);
  expect(new Set(contents).size).toBe(contents.length);
  expect(missing(queued, contents)).toEqual([]);
  const taken = await teleprinter.take({ ...printer, limit: 1_000_000, holder: "check", now: 1000, until: 2000 });
  const waiting = taken.outcome === "taken" ? taken.messages.map(({ id }) => id) : [];
  expect(missing(delivered.map(String), waiting.map(String))).toHaveLength(delivered.length);
  expect(waiting).toEqual(waiting.toSorted((a, b) => a - b));
}
