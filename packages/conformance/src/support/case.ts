import type { Storage } from "@telex/core/storage";
import { withLatency } from "./latency.ts";

/** A storage to test, and its optional abilities. */
export interface StorageSubject {
  /** Empty. */
  readonly storage: Storage;
  /**
   * Closes the storage and opens the same data again, as after a restart. Every storage that is `durable` has it.
   * The second connection, if there is one, stays as it is.
   */
  readonly reopen?: () => Promise<Storage>;
  /** Opens the same data once more, in addition to the first: another connection, or another process. Called once at most. */
  readonly second?: () => Promise<Storage>;
  /**
   * True if only one server at a time works on the data, as with a file. The second connection then does not know what a store may
   * keep in memory: signs of life, and the holders of texts. Default false.
   */
  readonly oneServer?: boolean;
  /**
   * True if ids are 1, 2, 3 … in each counter. Otherwise they only have to be unique, and to rise within their room, device or
   * conversation in the order of commit. Default false.
   */
  readonly countsIds?: boolean;
  /**
   * Moves the clock of the storage by this number of milliseconds, and lets it remove what is then too old. Without it, this is not tested.
   */
  readonly advance?: (milliseconds: number) => Promise<void>;
  /** Closes and removes everything, whatever state it is in. */
  destroy(): Promise<void>;
}

/** The storage of a case, and tools for it. */
export interface StorageGround {
  readonly storage: Storage;
  /** The storage after a restart; one that is not durable never restarts and is the same as before. */
  readonly reopen: () => Promise<Storage>;
  /** As {@link StorageSubject.advance}; nothing happens if the subject has none. */
  readonly advance: (milliseconds: number) => Promise<void>;
  /** As {@link StorageSubject.countsIds}. */
  readonly countsIds: boolean;
  /** Opens another connection to the same data, or returns the same one if the store has only one. */
  readonly second: () => Promise<Storage>;
  /**
   * `count` simultaneous callers, over both connections, delayed at random. Returns their results, in their order.
   */
  readonly race: <Result>(
    count: number,
    call: (storage: Storage, caller: number) => Promise<Result>,
  ) => Promise<Result[]>;
  /** As {@link StorageGround.race}, but only over connections that servers may have simultaneously. */
  readonly raceServers: <Result>(
    count: number,
    call: (storage: Storage, caller: number) => Promise<Result>,
  ) => Promise<Result[]>;
}

/** One promise of the store contracts, and its test. */
export interface StorageCase {
  /** The capability and a sentence: `teleprinter: a free ID goes to the user who claims it`. */
  readonly name: string;
  /** Rejects when the storage breaks the promise. */
  readonly run: (subject: StorageSubject) => Promise<void>;
}

function raceOver<Result>(
  storages: readonly [Storage, ...Storage[]],
  count: number,
  call: (storage: Storage, caller: number) => Promise<Result>,
): Promise<Result[]> {
  const connections = storages.map((storage, index) => withLatency(storage, index + count));
  return Promise.all(
    Array.from({ length: count }, (_, caller) => call(connections[caller % connections.length] ?? storages[0], caller)),
  );
}

function groundOf(subject: StorageSubject): StorageGround {
  let other: Promise<Storage> | null = null;
  const second = (): Promise<Storage> => (other ??= subject.second?.() ?? Promise.resolve(subject.storage));
  return {
    storage: subject.storage,
    countsIds: subject.countsIds === true,
    advance: async (milliseconds) => subject.advance?.(milliseconds),
    second,
    reopen: () => subject.reopen?.() ?? Promise.resolve(subject.storage),
    race: async (count, call) => raceOver([subject.storage, await second()], count, call),
    raceServers: async (count, call) =>
      raceOver(subject.oneServer === true ? [subject.storage] : [subject.storage, await second()], count, call),
  };
}

/** Tests a promise of a storage. */
export type CaseBody = (ground: StorageGround) => Promise<void>;

/** Cases of a capability: a body for each sentence. */
export const defineCases = (capability: string, bodies: Readonly<Record<string, CaseBody>>): readonly StorageCase[] =>
  Object.entries(bodies).map(([sentence, body]) => ({
    name: `${capability}: ${sentence}`,
    run: (subject) => body(groundOf(subject)),
  }));
