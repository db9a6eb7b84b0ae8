import { type Clock, type Storage, systemClock } from "@telex/core";
import { createAiStore } from "./ai.ts";
import { createBucketStore } from "./bucket.ts";
import { createChanges } from "./changes.ts";
import { createFiles } from "./files.ts";
import { createGate } from "./gate.ts";
import { createGroupStore } from "./groups.ts";
import { createMessageStore } from "./messages.ts";
import { createPairingStore } from "./pairings.ts";
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
  const { verb, close } = createGate();
  const { feed, report } = createChanges(verb, clock);
  const files = createFiles();
  return {
    teleprinter: createTeleprinterStore(verb, report),
    pairings: createPairingStore(verb),
    ai: createAiStore(verb),
    bucket: createBucketStore(verb, files),
    users: createUserStore(verb, report),
    tokens: createTokenStore(verb, report),
    groups: createGroupStore(verb, report),
    messages: createMessageStore(verb, files),
    changes: feed,
    durable: false,
    probe: verb(() => undefined),
    close: () => Promise.resolve(close()),
  };
}
