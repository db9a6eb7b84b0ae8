import { systemClock } from "@telex/core";
import type { Storage } from "@telex/core/storage";
import { storageConformance, type StorageSubject } from "@telex/conformance";
import { forgetChanges } from "../src/clock/cleanup.ts";
import { createMongoStorage, type MongoStorage } from "../src/index.ts";
import { emptyDatabase, newDatabase, person } from "./support/database.ts";
import { createSampled } from "test-support/every";
import { expect, it } from "vitest";

/** An empty database that a finished case has returned. A case that timed out may still write, so its database is not reused. */
let free: string | null = null;

async function create(): Promise<StorageSubject> {
  const url = free ?? newDatabase();
  free = null;
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
      free = url;
    },
  };
}

/**
 * These index hundreds or thousands of messages. The test server, in Python, indexes about a hundred per second, and fewer on a busy
 * machine. To list 64 messages without terms, it reads all of them before it applies the limit, so each message takes longer the more
 * there are; MongoDB stops at the limit. Only a complete run includes these cases.
 */
const slow: ReadonlySet<string> = new Set(
  [
    "few messages are returned that lack a term",
    "of ten thousand messages every one is found, in one room and among others",
    "messages that were put as records are found, and get their terms",
    "messages of many rooms get their terms",
    "of two hundred rooms the end is reached in six calls, with terms and without",
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

it("a case that continues after its timeout has its own database", async () => {
  const [late, next] = [await create(), await create()];
  await late.storage.users.appendUser(person);
  const listed = ({ storage }: StorageSubject) => storage.users.listUsers({ after: 0, limit: 2 });
  expect(await listed(late)).toHaveLength(1);
  expect(await listed(next)).toEqual([]);
  await next.destroy();
  await late.destroy();
});
