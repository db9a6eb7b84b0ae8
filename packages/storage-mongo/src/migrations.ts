import { setTimeout as delay } from "node:timers/promises";
import type { Db, IndexDescriptionInfo } from "mongodb";
import type { MongoConnection } from "./driver/connect.ts";
import type { Documents } from "./driver/documents.ts";
import { MongoStorageError } from "./driver/errors.ts";
import { takeLock } from "./clock/lock.ts";
import { collections, type Index } from "./driver/schema.ts";

/** A step from one version to the next. Idempotent, because it is repeated after a failure. */
interface Migration {
  readonly version: number;
  /** The lowest version of the program that can work on the database afterwards. */
  readonly readableFrom: number;
  readonly up: (db: Db) => Promise<void>;
}

const createDocuments = async (db: Db): Promise<void> => {
  await db.collection<Documents["numbers"]>("numbers").bulkWrite(
    ["changes", "probe"].map((_id) => ({
      updateOne: { filter: { _id }, update: { $setOnInsert: { value: 0 } }, upsert: true },
    })),
  );
};

/** In order. */
const migrations: readonly Migration[] = [{ version: 1, readableFrom: 1, up: createDocuments }];

/** The version that this program creates and upgrades to. */
const currentVersion = 1;

/** Milliseconds. */
const retryAfter = 100;

const metaOf = (db: Db) => db.collection<Documents["meta"]>("meta");

async function versionOf(db: Db): Promise<number> {
  const schema = await metaOf(db).findOne({ _id: "schema" });
  if (schema !== null && schema.readableFrom > currentVersion) {
    const message = `A newer version of Telex has changed the database ${db.databaseName}. Update this one.`;
    throw new MongoStorageError("newer", message);
  }
  return schema?.version ?? 0;
}

/** @throws MongoStorageError `missing` if the database has no installation (as a rejection) */
export async function assertExists(db: Db): Promise<void> {
  if ((await versionOf(db)) > 0) return;
  const message = `There is no Telex installation in the database ${db.databaseName}. Check its name in the address.`;
  throw new MongoStorageError("missing", message);
}

/** The definition of an index, apart from its name. */
const definitionOf = ({ key, unique = false, partialFilterExpression }: Definition): string =>
  JSON.stringify([Object.entries(key), unique, partialFilterExpression]);

type Definition = Pick<IndexDescriptionInfo, "key" | "unique" | "partialFilterExpression"> | Index;

/** The declared indexes that a collection does not have. */
async function missingOf(db: Db, name: string, declared: readonly Index[]): Promise<readonly Index[]> {
  const made = await db.collection(name).indexes();
  const definitions = new Set(made.map(definitionOf));
  const rest = declared.filter((index) => !definitions.has(definitionOf(index)));
  const taken = rest.find((index) => made.some((one) => one.name === index.name));
  if (taken === undefined) return rest;
  const message =
    `The index ${taken.name} of the collection ${name} in ${db.databaseName} differs from the one that Telex creates. ` +
    "Drop it while no server runs; the next start creates it again.";
  throw new MongoStorageError("unusable", message);
}

/** The missing indexes by collection: all of its indexes if the collection itself is missing. */
async function missingIn(db: Db): Promise<Map<string, readonly Index[]>> {
  const existing = await db.listCollections({}, { nameOnly: true }).toArray();
  const names = new Set(existing.map(({ name }) => name));
  const missing = new Map<string, readonly Index[]>();
  await Promise.all(
    Object.entries(collections).map(async ([name, declared]) => {
      if (!names.has(name)) missing.set(name, declared);
      else if (declared.length > 0) {
        const rest = await missingOf(db, name, declared);
        if (rest.length > 0) missing.set(name, rest);
      }
    }),
  );
  return missing;
}

/**
 * Builds indexes without waiting for members that are down, which would delay the start until they are back, and stops waiting for a
 * majority that does not answer.
 */
const building = {
  commitQuorum: "majority",
  maxTimeMS: 6 * 60 * 60_000,
  writeConcern: { w: "majority", j: true },
} as const;

/** Creates collections and indexes in advance, so that no transaction has to create them. */
async function create(db: Db, missing: ReadonlyMap<string, readonly Index[]>): Promise<void> {
  for (const [name, indexes] of missing) {
    // Not the driver's `createIndexes`, which omits the time limit.
    if (indexes.length > 0) await db.command({ createIndexes: name, indexes, ...building });
    else await db.createCollection(name);
  }
}

/** Brings a database up to date. The caller holds the lock, so no other server does the same. */
async function upgrade(db: Db): Promise<void> {
  await create(db, await missingIn(db));
  const version = await versionOf(db);
  for (const step of migrations.filter((one) => one.version > version)) {
    await step.up(db);
    const { version: to, readableFrom } = step;
    await metaOf(db).updateOne({ _id: "schema" }, { $set: { version: to }, $max: { readableFrom } }, { upsert: true });
  }
}

async function upgradePatiently(connect: () => Promise<MongoConnection>): Promise<void> {
  const { db, client } = await connect();
  try {
    await upgrade(db);
  } finally {
    await client.close();
  }
}

/**
 * Brings a database up to date. If several servers start, one of them does it and the others wait.
 * @param connectPatiently connects without a time-out for answers
 * @throws MongoStorageError `newer`
 */
export async function migrate(db: Db, connectPatiently: () => Promise<MongoConnection>): Promise<void> {
  for (;;) {
    const [version, missing] = await Promise.all([versionOf(db), missingIn(db)]);
    if (version >= currentVersion && missing.size === 0) return;
    const lock = await takeLock(db, "migration");
    if (lock === null) {
      await delay(retryAfter);
      continue;
    }
    try {
      await upgradePatiently(connectPatiently);
    } finally {
      await lock.release();
    }
  }
}
