import { type Db, type Document, MongoClient, type MongoClientOptions, MongoServerSelectionError } from "mongodb";
import { isMissingRight, isWrongPassword, MongoStorageError } from "./errors.ts";

/** Where the database is. */
export interface MongoPlace {
  /**
   * `mongodb://` or `mongodb+srv://` with the members of the replica set, or the routers of a sharded cluster. The path names the
   * database; without it, the name is `telex`.
   */
  readonly url: string;
  /** Milliseconds after which a call rejects with `storage_unavailable` if the database does not answer. Default 10,000. */
  readonly timeout?: number;
}

/** A connection that was checked. */
export interface MongoConnection {
  readonly client: MongoClient;
  readonly db: Db;
}

/** The wire version of MongoDB 6.0. */
const oldestWireVersion = 17;
/** Milliseconds. */
export const defaultTimeout = 10_000;

const optionsFor = (timeout: number): MongoClientOptions => ({
  appName: "telex",
  retryWrites: true,
  retryReads: true,
  writeConcern: { w: "majority", journal: true },
  readConcernLevel: "majority",
  readPreference: "primary",
  // A server that was lost is looked for this often, so that an election is noticed soon.
  heartbeatFrequencyMS: 2000,
  serverSelectionTimeoutMS: timeout,
  connectTimeoutMS: timeout,
  socketTimeoutMS: timeout,
  waitQueueTimeoutMS: timeout,
});

/**
 * Connects without a time-out for answers: an index of a large collection may take hours to build.
 * @throws Error as the driver does
 */
export async function connectPatiently({ url, timeout = defaultTimeout }: MongoPlace): Promise<MongoConnection> {
  const client = new MongoClient(url, { ...optionsFor(timeout), socketTimeoutMS: 0 });
  return { client: await client.connect(), db: client.db(databaseOf(url)) };
}

/** The name of the database in the path of an address, or the default. */
function databaseOf(url: string): string {
  const name = /^mongodb(?:\+srv)?:\/\/[^\/]+\/([^?]+)/v.exec(url)?.[1];
  return name === undefined ? "telex" : decodeURIComponent(name);
}

/** The hosts of an address, without the user and the password. */
const hostsOf = (url: string): string =>
  /^mongodb(?:\+srv)?:\/\/(?:[^@\/]*@)?([^\/?]+)/v.exec(url)?.[1] ?? "the given address";

function createClient(url: string, timeout: number): MongoClient {
  try {
    return new MongoClient(url, optionsFor(timeout));
  } catch (cause) {
    // The driver's message may quote the address with its password.
    const message =
      "The address of the database is not valid. It has the form mongodb://user:password@host:27017/telex.";
    throw new MongoStorageError("invalid_url", message, { cause });
  }
}

/** The sentence for a database that cannot be opened. */
export function openError(url: string, error: unknown): Error {
  if (error instanceof MongoStorageError) return error;
  const hosts = hostsOf(url);
  const cause = { cause: error };
  if (isWrongPassword(error)) {
    return new MongoStorageError("wrong_password", `MongoDB at ${hosts} refuses the user name or the password.`, cause);
  }
  if (isMissingRight(error)) {
    const message = `The user of the address may not read and write ${databaseOf(url)} at ${hosts}. Give it the role readWrite.`;
    return new MongoStorageError("missing_rights", message, cause);
  }
  if (error instanceof MongoServerSelectionError) {
    return new MongoStorageError("unreachable", `MongoDB at ${hosts} cannot be reached.`, cause);
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new MongoStorageError("unusable", `MongoDB at ${hosts} cannot be used: ${reason}`, cause);
}

/** Refuses a server without transactions, and one that is too old. */
function checkServer(url: string, hello: Document): void {
  const version: unknown = hello["maxWireVersion"];
  if (typeof version !== "number" || version < oldestWireVersion) {
    throw new MongoStorageError("too_old", `MongoDB at ${hostsOf(url)} is older than 6.0. Use MongoDB 6.0 or newer.`);
  }
  if (typeof hello["setName"] !== "string" && hello["msg"] !== "isdbgrid") {
    const message =
      `MongoDB at ${hostsOf(url)} is a standalone server, which has no transactions. ` +
      "Use a replica set; one member is enough (mongod --replSet).";
    throw new MongoStorageError("standalone", message);
  }
}

/**
 * Connects to a database and checks the server.
 * @throws MongoStorageError `invalid_url`, `unreachable`, `standalone`, `too_old`, `wrong_password`, `unusable` (as a rejection)
 */
export async function connect({ url, timeout = defaultTimeout }: MongoPlace): Promise<MongoConnection> {
  const client = createClient(url, timeout);
  try {
    await client.connect();
    const db = client.db(databaseOf(url));
    checkServer(url, await db.command({ hello: 1 }));
    return { client, db };
  } catch (error) {
    await client.close();
    throw openError(url, error);
  }
}
