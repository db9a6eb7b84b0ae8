import { statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Clock, systemClock, TelexError } from "@telex/core";
import type { Storage } from "@telex/core/storage";
import { AccountBook, createAccountStore } from "./accounts/accounts.ts";
import { createGrantStore, GrantRows } from "./accounts/grants.ts";
import { createKeyStore } from "./accounts/keys.ts";
import { SqliteAiStore } from "./stores/ai.ts";
import { SqliteBotStore } from "./stores/bots.ts";
import { SqliteBucketStore } from "./stores/bucket.ts";
import { SqliteChangeFeed } from "./stores/changes.ts";
import { type Database, defaultPageCache } from "./engine/database.ts";
import { fileError, isBusy } from "./engine/errors.ts";
import { GroupCommit } from "./engine/group-commit.ts";
import { SqliteGroupStore } from "./stores/groups.ts";
import { Ids } from "./engine/ids.ts";
import { endAllLeases, SqliteLeaseStore } from "./stores/leases.ts";
import { SqliteMessageStore } from "./messages/messages.ts";
import type { SyncTimes } from "./engine/log-sync.ts";
import { currentVersion } from "./migrations/all.ts";
import { migrateUp } from "./file/migrate.ts";
import { createFile, openFile, versionOf } from "./file/open.ts";
import { SqlitePairingStore } from "./stores/pairings.ts";
import { SqliteRecordStore } from "./stores/records.ts";
import { SearchBlocks } from "./search/blocks.ts";
import { SearchIndex } from "./search/search-index.ts";
import { ServerLock } from "./engine/server-lock.ts";
import { SqliteTeleprinterStore } from "./stores/teleprinter.ts";
import { SqliteTokenStore } from "./stores/tokens.ts";
import { SqliteUserStore } from "./stores/users.ts";

/** How {@link createSqliteStorage} opens a database. */
export interface SqliteStorageOptions {
  /** The database file. It is created, with its folder, unless it exists. */
  readonly file: string;
  /**
   * True for a server, because a file can have only one: rejects if another exclusive storage has the file open, and makes later ones
   * reject. Operator commands that run while a server uses the file leave it out. Only an exclusive storage does not block the event loop
   * while a slow disk syncs. Default false.
   */
  readonly exclusive?: boolean;
  /** Milliseconds that a write waits for another process that is writing. Default 5000. */
  readonly busyTimeout?: number;
  /** Bytes that must be free on the disk for `probe` to resolve. Writes still work with less. 0 for no limit. Default 64 MiB. */
  readonly floor?: number;
  /** Bytes of the file that are cached in memory. Default 4 MiB. */
  readonly pageCache?: number;
  /** Default: the clock of the machine. */
  readonly clock?: Clock;
}

/** Options for tests. */
interface TestOptions {
  readonly sync?: SyncTimes | undefined;
  /** See {@link GroupCommit.writeAlong}, in milliseconds. Default 50. */
  readonly alongDelay?: number;
}

/** Complete options. */
type Settings = Required<SqliteStorageOptions & Omit<TestOptions, "sync">> & TestOptions;

const settingsOf = ({
  file,
  exclusive = false,
  busyTimeout = 5000,
  alongDelay = 50,
  floor = 64 * 2 ** 20,
  pageCache = defaultPageCache,
  clock = systemClock,
  sync,
}: SqliteStorageOptions & TestOptions): Settings => ({
  file: resolve(file),
  exclusive,
  busyTimeout,
  alongDelay,
  floor,
  pageCache,
  clock,
  sync,
});

/** Milliseconds between two attempts to open a file that another process is opening for the first time. */
const openRetryDelay = 20;

/**
 * A durable storage in one file: when the promise of a write resolves, the data is on the disk and survives a kill at any moment. A
 * database of an earlier version is brought up to date, unless a server uses it.
 * @throws SqliteFileError `not_a_database`, `foreign`, `newer`, `in_use`, `unusable` (as a rejection)
 */
export const createSqliteStorage = (options: SqliteStorageOptions): Promise<Storage> => openSqliteStorage(options);

/** {@link createSqliteStorage} with options for tests. */
export async function openSqliteStorage(options: SqliteStorageOptions & TestOptions): Promise<Storage> {
  const settings = settingsOf(options);
  createFile(settings.file);
  // A file that is rejected gets no lock next to it.
  openFile(settings.file).close();
  const lock = settings.exclusive ? new ServerLock(settings.file) : null;
  try {
    return assemble(await openCurrent(settings), settings, lock);
  } catch (error) {
    lock?.release();
    throw error;
  }
}

function assemble(database: Database, settings: Settings, lock: ServerLock | null): Storage {
  const { file, busyTimeout, alongDelay, floor, clock } = settings;
  const ids = new Ids(database);
  const commit = new GroupCommit(database, { busyTimeout, alongDelay, hooks: ids });
  const index = new SearchIndex(database, new SearchBlocks(database, commit));

  const changes = new SqliteChangeFeed(database, clock);
  const bucket = new SqliteBucketStore(database, commit);
  const tokens = new SqliteTokenStore({ database, commit, changes, clock });
  const grants = new GrantRows(database, changes);
  const book = new AccountBook({ database, changes, grants });
  const teleprinter = new SqliteTeleprinterStore({ database, commit, ids, changes, clock });
  const touchProbe = database.command("UPDATE counters SET value = value + 1 WHERE name = 'probe'");
  const closeAll = async (): Promise<void> => {
    await Promise.all([teleprinter.flush(), tokens.flush()]);
    await commit.close();
    database.close();
    lock?.release();
  };
  let closing: Promise<void> | undefined;
  return {
    teleprinter,
    pairings: new SqlitePairingStore(database, commit),
    ai: new SqliteAiStore(database, commit, bucket),
    bucket,
    users: new SqliteUserStore({ database, commit, changes, accounts: book }),
    accounts: createAccountStore({ database, commit }, book),
    grants: createGrantStore(database, commit, grants),
    keys: createKeyStore(database, commit),
    tokens,
    groups: new SqliteGroupStore(database, commit, changes),
    bots: new SqliteBotStore(database, commit, changes),
    messages: new SqliteMessageStore({ database, commit, ids, bucket, changes, index }),
    leases: new SqliteLeaseStore(database, commit, changes),
    changes,
    records: new SqliteRecordStore(database, commit, index),
    durable: true,
    observeCommits: (listener) => commit.observe(listener),
    async probe() {
      await commit.write(() => void touchProbe());
      await assertFree(file, floor);
    },
    close: () => (closing ??= closeAll()),
  };
}

async function assertFree(file: string, floor: number): Promise<void> {
  if (floor === 0) return;
  const { bavail, bsize } = await statfs(dirname(file));
  if (bavail * bsize < floor) throw new TelexError("storage_full");
}

async function openCurrent(settings: Settings): Promise<Database> {
  const database = openFile(settings.file);
  try {
    await whenFree(() => database.prepareForWriting(settings.pageCache), settings.busyTimeout);
    upgrade(database, settings);
    if (settings.exclusive) endAllLeases(database);
    database.waitBriefly();
    if (settings.exclusive) database.syncApart(settings.sync);
    return database;
  } catch (error) {
    database.close();
    throw fileError(settings.file, error);
  }
}

/** Creates the tables of a new file, or brings an older one up to date unless a server uses it. */
function upgrade(database: Database, { file, exclusive }: Settings): void {
  const version = versionOf(database);
  // A later version that this program can work with is not changed.
  if (version >= currentVersion) return;
  const lock = version > 0 && !exclusive ? new ServerLock(file) : null;
  try {
    migrateUp(database, currentVersion);
  } finally {
    lock?.release();
  }
}

/** Switching a new file to a write-ahead log fails immediately while another process does the same. */
async function whenFree(run: () => void, timeout: number): Promise<void> {
  const deadline = performance.now() + timeout;
  for (;;) {
    try {
      run();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await delay(openRetryDelay);
    }
  }
}
