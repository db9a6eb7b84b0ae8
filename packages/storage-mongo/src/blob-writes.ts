import type { ByteStream } from "@telex/core/storage";
import type { GridFSBucket } from "mongodb";
import { type Db, type GridFSBucketWriteStream, ObjectId } from "mongodb";
import { defaultTimeout } from "./driver/connect.ts";
import { storageError } from "./driver/errors.ts";
import { eachInTime, inTime } from "./driver/in-time.ts";

/** A put that has begun, on any server. A sweep finds its remains by this document. */
interface Partial {
  readonly _id: ObjectId;
  /** Unix milliseconds. */
  readonly at: number;
}

export const bucketName = "blobs";

/** Reads a stream and remembers its error, with which the put rejects. */
function remembering(bytes: ByteStream): { readonly stream: ByteStream; readonly failure: () => unknown } {
  let failure: unknown = null;
  async function* stream(): ByteStream {
    try {
      yield* bytes;
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  return { stream: stream(), failure: () => failure };
}

export interface BlobDeps {
  readonly db: Db;
  readonly bucket: GridFSBucket;
  /** Puts in progress in this process. */
  readonly current: Set<string>;
  /** Milliseconds that the database may take for one step. */
  readonly time: number;
}

const partialOf = (db: Db) => db.collection<Partial>(`${bucketName}.partial`);

export const hasFile = async (db: Db, _id: ObjectId): Promise<boolean> =>
  (await db.collection(`${bucketName}.files`).countDocuments({ _id }, { limit: 1 })) > 0;

export const dropChunks = (db: Db, id: ObjectId) => db.collection(`${bucketName}.chunks`).deleteMany({ files_id: id });

/**
 * Writes a file. Only the steps of the database are limited in time: a slow client may take hours. The time-outs of the driver's
 * streams would count both.
 */
async function write(stream: GridFSBucketWriteStream, bytes: ByteStream, time: number): Promise<void> {
  const step = (begin: (done: (error?: Error | null) => void) => void): Promise<void> =>
    inTime(time, new Promise((resolve, reject) => begin((error) => (error ? reject(error) : resolve()))));
  // The step in progress rejects with the error, too.
  stream.on("error", () => undefined);
  try {
    for await (const chunk of bytes) await step((done) => stream.write(chunk, done));
    await step((done) => stream.end(done));
  } finally {
    stream.destroy();
  }
}

/** GridFS writes the file after its chunks, so readers see the whole file or none of it. */
export async function put(
  { db, bucket, current, time }: BlobDeps,
  blobId: string,
  bytes: ByteStream,
  at: number,
): Promise<void> {
  const _id = new ObjectId();
  const { stream, failure } = remembering(bytes);
  current.add(String(_id));
  try {
    await inTime(time, partialOf(db).insertOne({ _id, at }));
    await write(bucket.openUploadStreamWithId(_id, blobId), stream, time);
    await inTime(time, partialOf(db).deleteOne({ _id }));
  } catch (error) {
    // A sweep removes the rest.
    await inTime(time, removePartial(db, _id)).catch(() => undefined);
    const reason = failure();
    throw reason instanceof Error ? reason : storageError(reason ?? error);
  } finally {
    current.delete(String(_id));
  }
}

/** Removes the remains of a put, and its chunks unless it was complete. True if it was incomplete. */
async function removePartial(db: Db, _id: ObjectId): Promise<boolean> {
  const isComplete = await hasFile(db, _id);
  if (!isComplete) await dropChunks(db, _id);
  await partialOf(db).deleteOne({ _id });
  return !isComplete;
}

export async function sweep({ db, current, time }: BlobDeps, before: number): Promise<number> {
  let removed = 0;
  for await (const { _id } of eachInTime(time, partialOf(db).find({ at: { $lt: before } }))) {
    if (!current.has(String(_id)) && (await inTime(time, removePartial(db, _id)))) removed += 1;
  }
  return removed;
}

/** Twice the time-out of the connection: the driver tries each command twice, so it gives up earlier unless it hangs. */
export const stepTime = ({ client }: Db): number => 2 * (client.options.socketTimeoutMS || defaultTimeout);
