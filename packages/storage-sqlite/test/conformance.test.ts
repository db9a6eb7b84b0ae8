import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@telex/core";
import type { Storage } from "@telex/core/storage";
import { storageConformance, type StorageSubject } from "@telex/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { openSqliteStorage } from "../src/storage.ts";

type Options = Partial<Parameters<typeof openSqliteStorage>[0]>;

/** An empty database that each case copies, because creating the tables takes longer than most cases. */
let empty = { folder: "", file: "" };

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "telex-sqlite-"));
  empty = { folder, file: join(folder, "telex.db") };
  await (await openSqliteStorage({ file: empty.file })).close();
});

afterAll(() => rm(empty.folder, { recursive: true }));

/** @param server how the first storage on the file differs from that of a command */
async function create(server: Options = {}): Promise<StorageSubject> {
  const folder = await mkdtemp(join(tmpdir(), "telex-sqlite-"));
  const file = join(folder, "telex.db");
  await copyFile(empty.file, file);
  const opened: Storage[] = [];
  let ahead = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + ahead };
  const open = async (options: Options = {}): Promise<Storage> => {
    const storage = await openSqliteStorage({ file, clock, alongDelay: 0, ...options });
    opened.push(storage);
    return storage;
  };
  const storage = await open(server);
  return {
    advance: (milliseconds) => {
      ahead += milliseconds;
      return Promise.resolve();
    },
    storage,
    async reopen() {
      await storage.close();
      return open(server);
    },
    second: () => open(),
    oneServer: true,
    countsIds: true,
    async destroy() {
      await Promise.all(opened.map((one) => one.close()));
      await rm(folder, { recursive: true });
    },
  };
}

storageConformance({ test: it, create });

describe("of a server on a slow disk", () => {
  const sync = { slow: 0, slowTime: Number.POSITIVE_INFINITY };
  storageConformance({ test: it, create: () => create({ exclusive: true, sync }) });
});
