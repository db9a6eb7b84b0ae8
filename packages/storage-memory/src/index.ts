import { type Clock, systemClock } from "@telex/core";
import { counterNames, type Storage } from "@telex/core/storage";
import { createAccountStore } from "./accounts/accounts.ts";
import { createGrantStore } from "./accounts/grants.ts";
import { createKeyStore } from "./accounts/keys.ts";
import { createAiStore } from "./stores/ai.ts";
import { createBotStore } from "./stores/bots.ts";
import { createBucketStore } from "./stores/bucket.ts";
import { createChanges, type Report } from "./stores/changes.ts";
import { createCounters, type Counters } from "./engine/counters.ts";
import { createFiles, type Files } from "./stores/files.ts";
import { createGate, type Verb } from "./engine/gate.ts";
import { createGroupStore } from "./stores/groups.ts";
import { createLeaseStore } from "./stores/leases.ts";
import { createMessageStore } from "./messages/messages.ts";
import { createPairingStore } from "./stores/pairings.ts";
import { createRecordStore } from "./stores/records.ts";
import type { Tables } from "./engine/tables.ts";
import { createTeleprinterStore } from "./stores/teleprinter.ts";
import { createTokenStore } from "./stores/tokens.ts";
import { createPeople, createUserStore } from "./stores/users.ts";

/** How {@link createMemoryStorage} works. */
export interface MemoryStorageOptions {
  /** Dates changes, which are kept for an hour. Default: the clock of the machine. */
  readonly clock?: Clock;
}

/** Every store, each with its tables. */
function createStores(verb: Verb, report: Report, counters: Counters, files: Files) {
  const people = createPeople(counters.user);
  const tokens = createTokenStore(verb, report, counters.token);
  const grants = createGrantStore(verb, report);
  const { revokeTokensOf } = tokens;
  const accounts = createAccountStore(verb, { people, grants: grants.grants, revokeTokensOf, report });
  return {
    teleprinter: createTeleprinterStore(verb, report, counters.deviceMessage),
    pairings: createPairingStore(verb),
    ai: createAiStore(verb, counters, files),
    bucket: createBucketStore(verb, files),
    users: createUserStore(verb, { people, report, accounts: accounts.ofUsers }),
    tokens,
    accounts,
    grants,
    keys: createKeyStore(verb),
    groups: createGroupStore(verb, report, counters.group),
    bots: createBotStore(verb, report),
    messages: createMessageStore(verb, { files, counters, report }),
  };
}

type Stores = ReturnType<typeof createStores>;

const tablesOf = (stores: Stores, counters: Counters): Tables => ({
  ...stores.teleprinter.tables,
  ...stores.pairings.tables,
  ...stores.ai.tables,
  ...stores.bucket.tables,
  ...stores.users.tables,
  ...stores.tokens.tables,
  ...stores.accounts.tables,
  ...stores.grants.tables,
  ...stores.keys.tables,
  ...stores.groups.tables,
  ...stores.bots.tables,
  ...stores.messages.tables,
  counters: tableOfCounters(counters),
});

/**
 * A storage that ends with the process: the reference for the meaning of the verbs, also for tests and demonstrations. Ids
 * start at 1 and increase by 1 in the order of commit.
 */
export function createMemoryStorage({ clock = systemClock }: MemoryStorageOptions = {}): Storage {
  const gate = createGate();
  const { feed, report } = createChanges(gate.verb, clock);
  const counters = createCounters();
  const stores = createStores(gate.verb, report, counters, createFiles());
  return {
    teleprinter: stores.teleprinter.store,
    pairings: stores.pairings.store,
    ai: stores.ai.store,
    bucket: stores.bucket.store,
    users: stores.users.store,
    tokens: stores.tokens.store,
    accounts: stores.accounts.store,
    grants: stores.grants.store,
    keys: stores.keys.store,
    groups: stores.groups.store,
    bots: stores.bots.store,
    messages: stores.messages.store,
    leases: createLeaseStore(gate.verb, report),
    changes: feed,
    records: createRecordStore(gate, tablesOf(stores, counters)),
    durable: false,
    probe: gate.verb(() => undefined),
    close: () => Promise.resolve(gate.close()),
  };
}

const tableOfCounters = (counters: Counters): Tables["counters"] => ({
  all: () => counterNames.map((name) => ({ name, value: counters[name].last() })),
  put: ({ name, value }) => counters[name].raise(value),
});
