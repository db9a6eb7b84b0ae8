import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStorage } from "@telex/storage-memory";
import { createSqliteStorage } from "@telex/storage-sqlite";
import { expect, it, onTestFinished } from "vitest";
import { pushThroughKills } from "./push-kills.ts";

const seed = Number(process.env["TELEX_TEST_SEED"] ?? Math.floor(Math.random() * 2 ** 32));
/** `TELEX_PUSH_KILLS=200` takes some minutes. */
const kills = Number(process.env["TELEX_PUSH_KILLS"] ?? 6);
const time = { timeout: 20_000 + kills * 3000 };

/** A file that is removed with the test. */
async function newFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "telex-push-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, "telex.db");
}

it(`in memory, ${kills} kills of three servers notify of nothing twice (seed ${seed})`, time, async () => {
  await expect(
    pushThroughKills({ ...createMemoryStorage(), close: () => Promise.resolve() }, { kills, seed }),
  ).resolves.toBeUndefined();
});

it(`on SQLite, ${kills} kills of three servers notify of nothing twice (seed ${seed})`, time, async () => {
  const storage = await createSqliteStorage({ file: await newFile() });
  onTestFinished(() => storage.close());
  await expect(
    pushThroughKills({ ...storage, close: () => Promise.resolve() }, { kills, seed }),
  ).resolves.toBeUndefined();
});
