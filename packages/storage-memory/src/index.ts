import { type Clock, systemClock } from "@telex/core";
import { counterNames, type Storage } from "@telex/core/storage";
import { createAiStore } from "./ai.ts";
import { createBucketStore } from "./bucket.ts";
import { createChanges } from "./changes.ts";
import { createCounters, type Counters } from "./counters.ts";
import { createFiles } from "./files.ts";
import { createGate } from "./gate.ts";
import { createGroupStore } from "./groups.ts";
import { createMessageStore } from "./messages.ts";
import { createPairingStore } from "./pairings.ts";
import { createRecordStore } from "./records.ts";
import type { Tables } from "./tables.ts";
import { createTeleprinterStore } from "./teleprinter.ts";
import { createTokenStore } from "./tokens.ts";
import { createUserStore } from "./users.ts";

/** How {@link createMemoryStorage} works. */
export interface MemoryStorageOptions {
  /** Dates changes, which are kept for an hour. Default: the machine's. */
  readonly clock?: Clock;
}

/**
 * A storage that ends with the process: the reference for what the verbs mean, and for tests and demonstrations. Ids
 * start with 1 and increase by 1 in the order of commit.
 */
export function createMemoryStorage({ clock = systemClock }: MemoryStorageOptions = {}): Storage {
  const gate = createGate();
  const { verb, close } = gate;
  const { feed, report } = createChanges(verb, clock);
  const files = createFiles();
  const counters = createCounters();
  const teleprinter = createTeleprinterStore(verb, report, counters.deviceMessage);
  const pairings = createPairingStore(verb);
  const ai = createAiStore(verb, counters);
  const bucket = createBucketStore(verb, files);
  const users = createUserStore(verb, report, counters.user);
  const tokens = createTokenStore(verb, report, counters.token);
  const groups = createGroupStore(verb, report, counters.group);
  const messages = createMessageStore(verb, files, counters);
  const tables = {
    ...teleprinter.tables,
    ...pairings.tables,
    ...ai.tables,
    ...bucket.tables,
    ...users.tables,
    ...tokens.tables,
    ...groups.tables,
    ...messages.tables,
    counters: tableOfCounters(counters),
  };
  return {
    teleprinter: teleprinter.store,
    pairings: pairings.store,
    ai: ai.store,
    bucket: bucket.store,
    users: users.store,
    tokens: tokens.store,
    groups: groups.store,
    messages: messages.store,
    changes: feed,
    records: createRecordStore(gate, tables),
    durable: false,
    probe: verb(() => undefined),
    close: () => Promise.resolve(close()),
  };
}

const tableOfCounters = (counters: Counters): Tables["counters"] => ({
  all: () => counterNames.map((name) => ({ name, value: counters[name].last() })),
  put: ({ name, value }) => counters[name].raise(value),
});
