import { setTimeout as delay } from "node:timers/promises";
import { type Clock, type Logger, systemClock } from "@telex/core";
import type { Storage } from "@telex/core/storage";
import type { Db, MongoClient } from "mongodb";
import { createAccountStore } from "./accounts/accounts.ts";
import { createGrantStore } from "./accounts/grants.ts";
import { createKeyStore } from "./accounts/keys.ts";
import { type Batches, createBatches } from "./batches/batches.ts";
import { createBotStore } from "./stores/bots.ts";
import { createBucketStore } from "./stores/bucket.ts";
import { createWriteDocuments } from "./driver/bulk-writes.ts";
import { createChangeFeed } from "./stores/changes.ts";
import {
  connect,
  connectPatiently,
  defaultTimeout,
  type MongoConnection,
  type ConnectOptions,
  openError,
} from "./driver/connect.ts";
import { createConversationVerbs } from "./stores/conversations.ts";
import type { StoreDeps } from "./stores/deps.ts";
import { collectionOf } from "./driver/collections.ts";
import { startDatabaseClock } from "./clock/database-clock.ts";
import { startCleanup } from "./clock/cleanup.ts";
import { guarded, isMissingRight } from "./driver/errors.ts";
import { createGroupStore } from "./stores/groups.ts";
import { createIds, idOverlap } from "./clock/ids.ts";
import { createLeaseStore } from "./stores/lease-store.ts";
import { type MongoLock, takeLock } from "./clock/lock.ts";
import { createMessageStore } from "./messages/messages.ts";
import { assertExists, migrate } from "./migrations.ts";
import { createPairingStore } from "./stores/pairings.ts";
import { createQuotaVerbs } from "./stores/quotas.ts";
import { createRecordStore } from "./transfer/records.ts";
import { createServerNumber, type ServerNumber } from "./clock/server-number.ts";
import { checkSessionRight, createSessions, type Sessions } from "./batches/sessions.ts";
import { type MongoSnapshot, openSnapshot } from "./transfer/snapshot.ts";
import { createTeleprinterStore } from "./stores/teleprinter.ts";
import { createTokenStore } from "./stores/tokens.ts";
import { createErrands } from "./batches/errands.ts";
import { createTurns, type Turns } from "./batches/turns.ts";
import { assertComplete } from "./transfer/transfer-mark.ts";
import { createUserStore } from "./accounts/users.ts";

/** How {@link createMongoStorage} works. */
export interface MongoStorageOptions extends ConnectOptions {
  /** Default: the clock of the machine. The clocks of all servers may differ from that of the database by 5 s. */
  readonly clock?: Clock;
  /** Logs a warning if the clocks of this server and the database differ by more than 5 s, or if the cluster is sharded. Default: no log. */
  readonly log?: Logger;
  /** False to reject with `missing` if the database has no installation, instead of making one. Default true. */
  readonly create?: boolean;
  /** True to open a database with an incomplete copy as well, in order to complete it. Default false. */
  readonly incomplete?: boolean;
}

/** A storage in a MongoDB database, with its connection. */
export interface MongoStorage extends Storage {
  /** The connection of the storage, for a bus or a blob store in the same database. Closed by `close`. */
  readonly connection: { readonly client: MongoClient; readonly db: Db };
  /** Takes a lock that one process can hold at a time, and renews it; null if another one holds it. A killed process keeps it for 35 s. */
  readonly takeLock: (name: string) => Promise<MongoLock | null>;
  /**
   * True if another process has the database open and has written something, as a server does when it starts. Waits up to 8 s for a process that
   * may have been killed.
   */
  readonly isShared: () => Promise<boolean>;
  /** Opens a consistent view of all records, even while servers write. Close it before the storage. */
  readonly openSnapshot: () => MongoSnapshot;
}

/**
 * A storage for one or many servers on one MongoDB replica set. When the promise of a write resolves, the data is on the disks
 * of a majority of the members. Creates the collections and indexes, or brings them up to date; if several servers start
 * simultaneously, one of them does that.
 * @throws MongoStorageError `invalid_url`, `unreachable`, `standalone`, `no_primary`, `wrong_set`, `too_old`, `wrong_password`,
 *   `missing_rights`, `newer`, `incomplete`, `missing`, `unusable` (as a rejection)
 */
export async function createMongoStorage(options: MongoStorageOptions): Promise<MongoStorage> {
  const { clock = systemClock } = options;
  const connection = await connect(options, options.log);
  try {
    if (options.create === false) await assertExists(connection.db);
    await migrate(connection.db, () => connectPatiently(options));
    await assertRights(connection.db);
    await checkSessionRight(connection.db, options.log);
    if (options.incomplete !== true) await assertComplete(connection.db);
    return await assemble(connection, clock, options);
  } catch (error) {
    await connection.client.close();
    throw openError(options.url, error);
  }
}

const writeProbe = async (db: Db): Promise<void> => {
  await collectionOf(db, "numbers").updateOne({ _id: "probe" }, { $inc: { value: 1 } });
};

/** Detects a user without the right to write. A full or blocked database does not prevent the start, because it can be read. */
async function assertRights(db: Db): Promise<void> {
  await writeProbe(db).catch((error: unknown) => {
    if (isMissingRight(error)) throw error;
  });
}

const createStores = (deps: StoreDeps): Omit<Storage, "durable" | "observeCommits" | "probe" | "close"> => ({
  teleprinter: createTeleprinterStore(deps),
  pairings: createPairingStore(deps),
  ai: { ...createQuotaVerbs(deps), ...createConversationVerbs(deps) },
  bucket: createBucketStore(deps),
  users: createUserStore(deps),
  bots: createBotStore(deps),
  tokens: createTokenStore(deps),
  accounts: createAccountStore(deps),
  grants: createGrantStore(deps),
  keys: createKeyStore(deps),
  groups: createGroupStore(deps),
  messages: createMessageStore(deps),
  leases: createLeaseStore(deps),
  changes: createChangeFeed(deps),
  records: createRecordStore(deps),
});

/** Milliseconds that createClose waits for the database. Confirmed writes are stored; leases and sessions expire by themselves. */
const closeWait = 3000;

/** Ends everything, once. */
function createClose(
  { client }: MongoConnection,
  deps: {
    readonly batches: Batches;
    readonly sessions: Sessions;
    readonly server: ServerNumber;
    readonly turns: Turns;
  },
  timers: readonly { readonly end: () => void }[],
) {
  let closed: Promise<void> | null = null;
  const end = async (): Promise<void> => {
    await deps.batches.close();
    await Promise.all([deps.turns.end(), deps.sessions.close(), deps.server.close()]);
  };
  const run = async (): Promise<void> => {
    for (const timer of timers) timer.end();
    const ending = new AbortController();
    const late = () => delay(closeWait, undefined, { signal: ending.signal }).catch(() => undefined);
    await Promise.race([end(), late()]);
    // The driver also ends its sessions on the database here. Pending calls are rejected.
    await Promise.race([client.close(), late()]);
    ending.abort();
  };
  return (): Promise<void> => (closed ??= run());
}

async function assemble(
  connection: MongoConnection,
  clock: Clock,
  { timeout = defaultTimeout, log = null }: { readonly timeout?: number; readonly log?: Logger | null },
): Promise<MongoStorage> {
  const { client, db } = connection;
  const time = await startDatabaseClock({ db, clock, log });
  const server = createServerNumber(collectionOf(db, "leases"), clock, time);
  const ids = createIds(db, time, server);
  await ids.load();
  const sessions = createSessions(client, db, { clock, time });
  const errands = createErrands(db, time);
  const turns = createTurns(db, clock, errands);
  const writeDocuments = createWriteDocuments(db);
  const batches = createBatches({
    sessions,
    db,
    writeDocuments,
    now: () => clock.now(),
    time,
    timeout,
    turns,
    errands,
  });
  const cleanup = startCleanup({ db, clock, time });
  return {
    ...createStores({ db, batches, ids, time, cleanup }),
    connection,
    takeLock: (name) => guarded(() => takeLock(db, name)),
    isShared: () => guarded(sessions.hasOthers),
    openSnapshot: () => openSnapshot({ client, db, single: batches.single }),
    durable: true,
    idOverlap,
    observeCommits: batches.observe,
    async probe() {
      await batches.single(() => writeProbe(db));
      await batches.single(time.assert);
    },
    close: createClose(connection, { batches, sessions, server, turns }, [cleanup, time, turns]),
  };
}
