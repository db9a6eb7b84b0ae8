import type { Logger } from "@telex/core";
import { type Db, MongoClient, type MongoClientOptions, MongoServerSelectionError } from "mongodb";
import { assertEscaped, databaseOf, hasUser, hostsOf, invalidUrl, userDatabaseOf } from "./address.ts";
import { isMissingRight, isServerFault, isWrongPassword, MongoStorageError } from "./errors.ts";
import { faultOf, isRouter, selectionFault, unreachable, watchMembers } from "./members.ts";

/** The database and the time limit of its calls. */
export interface ConnectOptions {
  /**
   * `mongodb://` or `mongodb+srv://` with the members of the replica set, or the routers of a sharded cluster. The path names the
   * database; without it, the name is `telex`.
   */
  readonly url: string;
  /**
   * Milliseconds after which a call rejects with `storage_unavailable` if the database does not answer. It is retried until then: an
   * election after a crash of the primary takes 10 to 12 s. A single command gets half of it, but at least 10 s. Default 20,000.
   */
  readonly timeout?: number;
}

/** A connection to a checked server. */
export interface MongoConnection {
  readonly client: MongoClient;
  readonly db: Db;
}

/** Milliseconds. */
export const defaultTimeout = 20_000;
/** Minimum milliseconds for one command, if the call has that long. */
const leastOfCommand = 10_000;

const commandTime = (timeout: number): number => Math.min(timeout, Math.max(leastOfCommand, timeout / 2));

const optionsFor = (
  { url, timeout: whole = defaultTimeout }: ConnectOptions,
  timeout = commandTime(whole),
): MongoClientOptions => ({
  appName: "telex",
  retryWrites: true,
  retryReads: true,
  writeConcern: { w: "majority", journal: true },
  readConcernLevel: "majority",
  readPreference: "primary",
  // The driver checks a lost server this often, so that it notices an election soon.
  heartbeatFrequencyMS: 2000,
  // Only this option may also be set in the address. If it were given here, the driver would ignore the address.
  ...(!url.toLowerCase().includes("serverselectiontimeoutms=") && { serverSelectionTimeoutMS: timeout }),
  connectTimeoutMS: timeout,
  socketTimeoutMS: timeout,
  waitQueueTimeoutMS: timeout,
});

/**
 * Connects without a time-out for answers: an index of a large collection may take hours to build.
 * @throws Error as the driver does
 */
export async function connectPatiently(options: ConnectOptions): Promise<MongoConnection> {
  const client = new MongoClient(options.url, { ...optionsFor(options), socketTimeoutMS: 0 });
  return { client: await client.connect(), db: client.db(databaseOf(options.url)) };
}

function createClient(options: ConnectOptions): MongoClient {
  assertEscaped(options.url);
  try {
    return new MongoClient(options.url, optionsFor(options));
  } catch (error) {
    throw invalidUrl(error);
  }
}

/** The error for a database user without the rights that Telex needs. */
function missingRights(url: string, cause: unknown): MongoStorageError {
  const message = hasUser(url)
    ? `The user of the address may not read and write ${databaseOf(url)} at ${hostsOf(url)}. Give it the role readWrite.`
    : `MongoDB at ${hostsOf(url)} requires a user and a password. Add them to the address: mongodb://user:password@host/telex.`;
  return new MongoStorageError("missing_rights", message, { cause });
}

function wrongPassword(url: string, cause: unknown): MongoStorageError {
  const message =
    `MongoDB at ${hostsOf(url)} refuses the user name or the password. Correct them; the user is looked up in the database ` +
    `${userDatabaseOf(url)}, and authSource=<database> in the address names another one.`;
  return new MongoStorageError("wrong_password", message, { cause });
}

/** The error for a database that cannot be opened. */
export function openError(url: string, error: unknown): Error {
  if (error instanceof MongoStorageError) return error;
  const hosts = hostsOf(url);
  const cause = { cause: error };
  if (isWrongPassword(error)) return wrongPassword(url, error);
  if (isMissingRight(error)) return missingRights(url, error);
  if (isServerFault(error))
    return new MongoStorageError("unreachable", `MongoDB at ${hosts} stopped responding. Try again.`, cause);
  // The record of mongodb+srv could not be resolved.
  if (error instanceof Error && "syscall" in error) return unreachable(url, [error]);
  const reason = error instanceof Error ? error.message : String(error);
  return new MongoStorageError("unusable", `MongoDB at ${hosts} cannot be used: ${reason}`, cause);
}

/** The warning about routers of a sharded cluster. */
const untested =
  "The address names the router of a sharded cluster. Telex was not tested with one. Do not shard the collections of Telex: " +
  "most writes name a document only by its _id.";

/**
 * Connects to a database and checks the server.
 * @param log is warned of a sharded cluster
 * @throws MongoStorageError `invalid_url`, `unreachable`, `standalone`, `no_primary`, `wrong_set`, `too_old`, `wrong_password`,
 *   `missing_rights`, `unusable` (as a rejection)
 */
export async function connect(options: ConnectOptions, log?: Logger): Promise<MongoConnection> {
  const { url } = options;
  const client = createClient(options);
  const members = watchMembers(client);
  try {
    await client.connect();
    const db = client.db(databaseOf(url));
    const hello = await db.command({ hello: 1 });
    const fault = faultOf(url, hello);
    if (fault !== null) throw fault;
    if (isRouter(hello)) log?.warn("storage.sharded", { hint: untested });
    return { client, db };
  } catch (error) {
    await client.close();
    if (error instanceof MongoServerSelectionError) throw selectionFault(url, members, client.options.replicaSet);
    throw openError(url, error);
  } finally {
    members.end();
  }
}
