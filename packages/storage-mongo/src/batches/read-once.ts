import type { Db } from "mongodb";
import { createReads, Known } from "../driver/known-documents.ts";
import type { Reads } from "../driver/transaction.ts";

/** For reads on a snapshot. By default, the driver sends the read concern of the client with the time of the snapshot, which the database rejects. */
export const snapshotRead = { readConcern: { level: "snapshot" } } as const;

/**
 * Runs `body` on the data that a majority has at the time of its first read. Unlike the commit of a transaction, it does not wait for
 * replication, and it reads nothing that an election can undo.
 */
export async function readOnce<Result>(db: Db, body: (reads: Reads) => Promise<Result>): Promise<Result> {
  const session = db.client.startSession({ snapshot: true });
  try {
    return await body(createReads(db, { session, ...snapshotRead }, new Known(), { add: () => undefined }));
  } finally {
    await session.endSession();
  }
}
