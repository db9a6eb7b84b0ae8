import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Storage } from "@telex/core/storage";
import { expect, it } from "vitest";
import { createSqliteStorage, verifySqlite } from "../src/index.ts";
import { contentsOf } from "./history.ts";
import { printer, roomMessage } from "./messages.ts";
import {
  mountingWorks,
  openStorage,
  smallDisk,
  startChild,
  temporaryFile,
  temporaryFolder,
  tracingWorks,
} from "./support.ts";

const missing = (wanted: readonly string[], present: readonly string[]): string[] => {
  const known = new Set(present);
  return wanted.filter((word) => !known.has(word));
};

it(
  "a server that was killed lets the next one in, and has lost nothing of what it said",
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
    const kinds = [
      "account",
      "claimed",
      "code",
      "delivered",
      "file",
      "message",
      "queued",
      "session",
      "settled",
      "token",
    ];
    expect([...said.keys()].toSorted()).toEqual(kinds);
  },
);

/** Checks that every acknowledged message is stored once. */
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
    await checkAccounts(storage, words("account"));
    for (const word of words("session")) expect(await storage.accounts.findSession(word, 1000)).not.toBeNull();
    const used = await storage.ai.sumUsage(7, { from: "2026-11-21", to: "2026-11-22" });
    expect(used.replies).toBeGreaterThanOrEqual(words("settled").length);
    expect(used.tokens).toBe(used.replies * 10);
  } finally {
    await storage.close();
  }
}

/** Checks that each account has its user and has used its invitation, and that there is no user without an account. */
async function checkAccounts({ accounts, users }: Storage, said: readonly string[]): Promise<void> {
  const stored = await accounts.listAccounts({ after: 0, limit: 1_000_000 });
  const names = stored.map(({ usernameKey }) => usernameKey);
  expect(missing(said, names)).toEqual([]);
  const guests = (await users.listUsers({ after: 0, limit: 1_000_000 })).filter(({ ext }) => ext === null);
  expect(guests.map(({ nickname }) => nickname).toSorted()).toEqual(names.toSorted());
  for (const digest of names) expect(await accounts.findLink({ digest, kind: "invitation", now: 1000 })).toBeNull();
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

const mib = 2 ** 20;
// If nothing can be mounted, `group-commit.test.ts` still tests a full disk with a limit of SQLite.
const disks = mountingWorks() ? [3 * mib] : [];

it.each(disks)(
  "on a full disk of %i bytes nothing is stored, reads continue, and free space restores writes",
  async (size) => {
    const folder = smallDisk(size);
    const file = join(folder, "telex.db");
    const storage = await openStorage({ file, exclusive: true, floor: 0 });
    await storage.messages.append(roomMessage(1, "before"));
    const ballast = join(folder, "ballast");
    writeFileSync(ballast, Buffer.alloc(mib));

    const stored = await fillUp(async (count) => storage.messages.append(roomMessage(1, `${count} `.repeat(500))));
    const page = await storage.messages.page({ groupId: 1, before: null, limit: 10_000 });
    expect(page.messages).toHaveLength(stored + 1);
    expect(page.messages.at(-1)?.content).toBe("before");
    await expect(storage.messages.append(roomMessage(1, "x".repeat(mib)))).rejects.toMatchObject({
      code: "storage_full",
    });

    rmSync(ballast);
    await storage.messages.append(roomMessage(1, "after"));
    await storage.probe();
    await storage.close();
    expect(verifySqlite({ file })).toEqual([]);
    const again = await openStorage({ file, exclusive: true, floor: 0 });
    const last = await again.messages.page({ groupId: 1, before: null, limit: 1 });
    expect(last).toMatchObject({ older: stored + 1, messages: [{ content: "after" }] });
  },
);

/** Repeats a write until it fails, and returns how often it succeeded. */
async function fillUp(write: (count: number) => Promise<unknown>): Promise<number> {
  let count = 0;
  const full = (async () => {
    for (;;) {
      await write(count);
      count += 1;
    }
  })();
  await expect(full).rejects.toMatchObject({ code: "storage_full" });
  return count;
}

const tracers = tracingWorks() ? ["strace"] : [];

const tracedDisks = tracers.flatMap((tracer) => [
  { disk: `a quick disk, as ${tracer} sees it`, options: [], threads: 1 },
  // Each sync takes longer than on a fast disk, so it runs in a thread of Node.
  { disk: `a slow disk, as ${tracer} sees it`, options: ["-e", "inject=fdatasync:delay_enter=8000"], threads: 2 },
]);

/** Runs a script of this folder on a database under strace, and returns its output and its system calls. */
function runTraced(script: string, file: string, options: readonly string[]): { printed: string; calls: string } {
  const trace = join(temporaryFolder(), "trace");
  const path = fileURLToPath(new URL(script, import.meta.url));
  const parameters = ["-f", "-e", "trace=fsync,fdatasync,write,pwrite64", ...options, "-o", trace, process.execPath];
  const printed = execFileSync("strace", [...parameters, "--conditions=telex-source", path, file], {
    encoding: "utf8",
  });
  return { printed, calls: readFileSync(trace, "utf8") };
}

it.each(tracedDisks)(
  "every verb that writes is synced before it is answered on $disk",
  { timeout: 60_000 },
  ({ options, threads }) => {
    const { printed, calls } = runTraced("write-once-each.ts", temporaryFile(), options);
    const verbs = Array.from(printed.matchAll(/^done (.+)$/gm), ([, verb]) => verb ?? "");
    expect(verbs.length).toBeGreaterThan(20);
    expect(verbs.filter((verb) => !isSynced(between(calls, `"call ${verb}\\n"`, `"done ${verb}\\n"`)))).toEqual([]);
    const syncing = Array.from(calls.matchAll(/^(\d+) +fdatasync/gm), ([, thread]) => thread);
    expect(new Set(syncing).size).toBeGreaterThanOrEqual(threads);
  },
);

const between = (text: string, from: string, to: string): string => text.slice(text.indexOf(from), text.indexOf(to));

/** True if something was written, and a sync that began after its last byte succeeded. */
function isSynced(calls: string): boolean {
  const written = Array.from(calls.matchAll(/\n\d+ +pwrite64\(/g)).at(-1)?.index ?? -1;
  const synced =
    /\n\d+ +f(?:data)?sync\(\d+(?:\) += 0| <unfinished \.\.\.>[^]*\n\d+ +<\.\.\. fdatasync resumed>\) += 0)/;
  return written >= 0 && synced.test(calls.slice(written));
}

it.each(tracers)(
  "after a sync that failed, nothing is done any more, and all that was said to be stored is there (%s)",
  { timeout: 60_000 },
  async () => {
    const file = temporaryFile();
    const failing = ["-e", "inject=fdatasync:error=EIO:when=7+"];
    const { printed, calls } = runTraced("append-until-refused.ts", file, failing);
    const stored = Array.from(printed.matchAll(/^stored (.+)$/gm), ([, word]) => word ?? "");
    expect(stored).not.toHaveLength(0);
    expect(calls.slice(calls.search(/fdatasync\(\d+\) += -1/))).not.toContain('"stored ');
    const refused = "storage_unavailable";
    const rest = [`append ${refused}`, `append ${refused}`, `read ${refused}`, `another ${refused}`, "closed", ""];
    expect(printed.split("\n").slice(stored.length)).toEqual(rest);
    const contents = await contentsOf(await openStorage({ file, exclusive: true }), 1);
    expect(missing(stored, contents)).toEqual([]);
    expect(contents.length - stored.length).toBeLessThanOrEqual(1);
  },
);
