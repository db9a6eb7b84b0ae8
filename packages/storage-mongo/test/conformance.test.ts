import type { Storage } from "@telex/core/storage";
import { storageConformance, type StorageSubject } from "@telex/core/conformance";
import { createMongoStorage } from "../src/index.ts";
import { emptyDatabase, newDatabase } from "./support/database.ts";
import { createSampled } from "test-support/every";
import { it } from "vitest";

const url = newDatabase();

async function create(): Promise<StorageSubject> {
  const opened: Storage[] = [];
  const open = async (): Promise<Storage> => {
    const storage = await createMongoStorage({ url, timeout: 60_000 });
    opened.push(storage);
    return storage;
  };
  const storage = await open();
  return {
    storage,
    async reopen() {
      await storage.close();
      return open();
    },
    second: open,
    async destroy() {
      await Promise.all(opened.map((one) => one.close()));
      await emptyDatabase(url);
    },
  };
}

storageConformance({ test: createSampled(it), create });
