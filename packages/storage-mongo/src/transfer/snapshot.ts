import { recordKinds, type RecordStore } from "@telex/core/storage";
import type { Db, MongoClient } from "mongodb";
import type { Batches } from "../batches/batches.ts";
import { snapshotRead } from "../batches/read-once.ts";
import { isSnapshotTooOld, MongoStorageError } from "../driver/errors.ts";
import { listRecords, type Reading } from "./records.ts";

/** A consistent view of all records at the time of the first read, while servers write. */
export interface MongoSnapshot extends Pick<RecordStore, "list"> {
  /** About how many records there are. Does not read them. */
  readonly estimate: () => Promise<number>;
  /** Frees the session. */
  readonly close: () => Promise<void>;
}

const tooShort = (cause: unknown): MongoStorageError =>
  new MongoStorageError(
    "history_too_short",
    "MongoDB keeps its history for too short a time to read all records as of one moment. Set the parameter " +
      "minSnapshotHistoryWindowInSeconds of the servers of MongoDB, which is 300 by default, to more seconds than the records take to be read.",
    { cause },
  );

interface Deps {
  readonly client: MongoClient;
  readonly db: Db;
  readonly single: Batches["single"];
}

/** Opens a snapshot without reading. Reads reject with MongoStorageError `history_too_short` if they take too long. */
export function openSnapshot({ client, db, single }: Deps): MongoSnapshot {
  const session = client.startSession({ snapshot: true });
  const reading: Reading = { db, options: { session, ...snapshotRead } };
  return {
    async list(kind, page) {
      try {
        return await single(() => listRecords(reading, kind, page));
      } catch (error) {
        if (error instanceof Error && isSnapshotTooOld(error.cause)) throw tooShort(error.cause);
        throw error;
      }
    },
    estimate: () =>
      single(async () => {
        let count = 0;
        for (const kind of recordKinds) count += await db.collection(kind).estimatedDocumentCount();
        return count;
      }),
    close: () => session.endSession(),
  };
}
