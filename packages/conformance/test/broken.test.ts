import { AssertionError } from "node:assert";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFsBlobs } from "@telex/blobs/fs";
import { createMemoryStorage } from "@telex/storage-memory";
import { describe, expect, it } from "vitest";
import { createManualClock } from "@telex/conformance/testing";
import { brokenAccounts } from "./broken/accounts.ts";
import { brokenBlobs } from "./broken/blobs.ts";
import { brokenBots } from "./broken/bots.ts";
import { brokenFiles } from "./broken/files.ts";
import { brokenGenerations } from "./broken/generations.ts";
import { brokenPeopleRooms } from "./broken/people-rooms.ts";
import { brokenAmends } from "./broken/messages-amended.ts";
import { brokenReading } from "./broken/messages-reading.ts";
import { brokenMessages } from "./broken/messages.ts";
import { brokenNetworks } from "./broken/messages-network.ts";
import { brokenOutboxes } from "./broken/messages-outbox.ts";
import { brokenGrants } from "./broken/grants.ts";
import { brokenLeases } from "./broken/leases.ts";
import { brokenOthers } from "./broken/others.ts";
import { brokenQueues } from "./broken/queues.ts";
import { brokenSchedules } from "./broken/schedules.ts";
import { brokenQuotas } from "./broken/quotas.ts";
import { brokenSearches } from "./broken/messages-search.ts";
import { brokenRecords } from "./broken/records.ts";
import { brokenDevices } from "./broken/teleprinter.ts";
import { brokenTokens } from "./broken/tokens.ts";
import { blobCases } from "../src/index.ts";
import { storageCases } from "../src/storage-cases.ts";

const brokenStorages = [
  ...brokenDevices,
  ...brokenQueues,
  ...brokenSchedules,
  ...brokenGenerations,
  ...brokenTokens,
  ...brokenAccounts,
  ...brokenGrants,
  ...brokenFiles,
  ...brokenMessages,
  ...brokenSearches,
  ...brokenReading,
  ...brokenAmends,
  ...brokenPeopleRooms,
  ...brokenNetworks,
  ...brokenOutboxes,
  ...brokenBots,
  ...brokenLeases,
  ...brokenQuotas,
  ...brokenOthers,
  ...brokenRecords,
];

/** The error of a case, or null. */
const failureOf = (run: Promise<void>): Promise<unknown> =>
  run.then(
    () => null,
    (error: unknown) => error,
  );

function caseOf<Case extends { readonly name: string }>(cases: readonly Case[], name: string): Case {
  const found = cases.find((one) => one.name === name);
  if (found === undefined) throw new TypeError(`There is no case "${name}".`);
  return found;
}

describe("a storage that is wrong is found out", () => {
  for (const { fault, found, spoil } of brokenStorages) {
    it.each(found)(`${fault}: %s`, async (name) => {
      const { run } = caseOf(storageCases, name);
      const clock = createManualClock();
      const storage = spoil(createMemoryStorage({ clock }));
      const subject = {
        storage,
        countsIds: true,
        advance: (milliseconds: number) => clock.advance(milliseconds),
        destroy: () => storage.close(),
      };
      const failure = await failureOf(run(subject));
      expect(failure).toBeInstanceOf(AssertionError);
    });
  }
});

describe("a blob store that is wrong is found out", () => {
  for (const { fault, found, spoil } of brokenBlobs) {
    it.each(found)(`${fault}: %s`, async (name) => {
      const { run } = caseOf(blobCases, name);
      const directory = await mkdtemp(join(tmpdir(), "telex-broken-"));
      const blobs = spoil(createFsBlobs({ directory }));
      const failure = await failureOf(run({ blobs, destroy: () => Promise.resolve() }));
      await rm(directory, { recursive: true, force: true });
      expect(failure).toBeInstanceOf(AssertionError);
    });
  }
});

describe("the suite", () => {
  it("names every case differently", () => {
    const names = [...storageCases, ...blobCases].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it("says of a durable storage without a restart that it cannot be tried", async () => {
    const storage = { ...createMemoryStorage(), durable: true };
    const { run } = caseOf(storageCases, "storage: a durable storage can be opened again");
    expect(await failureOf(run({ storage, destroy: () => storage.close() }))).toBeInstanceOf(AssertionError);
  });
});
