import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@telex/core";
import type { Storage } from "@telex/core/storage";
import { storageConformance, type StorageSubject } from "@telex/core/conformance";
import { it } from "vitest";
import { createSqliteStorage } from "../src/index.ts";

async function create(): Promise<StorageSubject> {
  const folder = await mkdtemp(join(tmpdir(), "telex-sqlite-"));
  const file = join(folder, "telex.db");
  const opened: Storage[] = [];
  let ahead = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + ahead };
  const open = async (): Promise<Storage> => {
    const storage = await createSqliteStorage({ file, clock });
    opened.push(storage);
    return storage;
  };
  const storage = await open();
  return {
    advance: (milliseconds) => {
      ahead += milliseconds;
      return Promise.resolve();
    },
    storage,
    async reopen() {
      await storage.close();
      return open();
    },
    second: open,
    oneServer: true,
    countsIds: true,
    async destroy() {
      await Promise.all(opened.map((one) => one.close()));
      await rm(folder, { recursive: true });
    },
  };
}

storageConformance({ test: it, create });
