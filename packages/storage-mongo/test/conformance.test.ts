import { systemClock } from "@telex/core";
import type { Storage } from "@telex/core/storage";
import { storageConformance, type StorageSubject } from "@telex/core/conformance";
import { forgetChanges } from "../src/forgetting.ts";
import { createMongoStorage, type MongoStorage } from "../src/index.ts";
import { emptyDatabase, newDatabase } from "./support/database.ts";
import { createSampled } from "test-support/every";
import { expect, it } from "vitest";

const url = newDatabase();

async function create(): Promise<StorageSubject> {
  const opened: Storage[] = [];
  let ahead = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + ahead };
  const open = async (): Promise<MongoStorage> => {
    const storage = await createMongoStorage({ url, clock, timeout: 60_000 });
    opened.push(storage);
    return storage;
  };
  const storage = await open();
  return {
    advance(milliseconds) {
      ahead += milliseconds;
      return forgetChanges(storage.connection.db, clock.now());
    },
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

/**
 * These index hundreds or thousands of messages. The server for tests, in Python, indexes about a hundred in a second, and less on a busy
 * machine: only a whole run has them.
 */
const slow: ReadonlySet<string> = new Set(
  [
    "few messages are returned that lack a term",
    "of ten thousand messages every one is found, in one room and among others",
    "messages that were put as records are found, and get their terms",
    "messages of many rooms get their terms",
  ].map((name) => `messages search: ${name}`),
);

const names: string[] = [];
const sampled = createSampled(it, slow);
const test: typeof sampled = (name, body) => {
  names.push(name);
  return sampled(name, body);
};
storageConformance({ test, create });

it("each slow case is one of the suite", () => {
  expect(names).toEqual(expect.arrayContaining([...slow]));
});
