import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Clock, systemClock } from "@telex/core";
import type { BlobEntry, BlobStore, ByteRange, ByteStream } from "@telex/core/storage";
import { type Db, GridFSBucket, type GridFSFile, ObjectId } from "mongodb";
import { storageError } from "./errors.ts";

/** How {@link createMongoBlobs} works. */
export interface MongoBlobsOptions {
  /** The database: `storage.connection.db`. It stays open as long as the storage. */
  readonly db: Db;
  /** Dates what broken-off puts leave behind. Default: the clock of the machine. */
  readonly clock?: Clock;
}

/** A put that has begun, on any server: what it leaves behind is found by it. */
interface Partial {
  readonly _id: ObjectId;
  /** Unix milliseconds. */
  readonly at: number;
}

const bucketName = "blobs";
const pattern = /^[0-9a-f]{32}(?:\.[A-Za-z0-9]{1,32})?$/v;

function assertBlobId(blobId: string): void {
  if (pattern.test(blobId)) return;
  throw new TypeError("A blob's name must be 32 lower-case hexadecimal digits, with a suffix like .jpg or without.");
}

const entryOf = ({ filename, length, uploadDate }: GridFSFile): BlobEntry => ({
  blobId: filename,
  size: length,
  createdAt: uploadDate.getTime(),
});

/** The bytes of a file, or a range of them. A buffer of the driver is handed to nobody else. */
async function* read(bucket: GridFSBucket, { _id, length }: GridFSFile, range: ByteRange | undefined): ByteStream {
  const start = Math.max(0, range?.start ?? 0);
  const end = Math.min(length, (range?.end ?? length - 1) + 1);
  if (start >= end) return;
  try {
    for await (const chunk of bucket.openDownloadStream(_id, { start, end })) yield new Uint8Array(chunk);
  } catch (error) {
    throw storageError(error);
  }
}

/** Reads a stream and remembers its error, which is the answer to a put. */
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

/** What the verbs share. */
interface Parts {
  readonly db: Db;
  readonly bucket: GridFSBucket;
  /** Puts of this process in progress. */
  readonly current: Set<string>;
}

const partialOf = (db: Db) => db.collection<Partial>(`${bucketName}.partial`);
const dropChunks = (db: Db, id: ObjectId) => db.collection(`${bucketName}.chunks`).deleteMany({ files_id: id });

/** GridFS writes the file after its chunks, so nobody sees a part. */
async function put({ db, bucket, current }: Parts, blobId: string, bytes: ByteStream, at: number): Promise<void> {
  const _id = new ObjectId();
  const { stream, failure } = remembering(bytes);
  current.add(String(_id));
  try {
    await partialOf(db).insertOne({ _id, at });
    await pipeline(Readable.from(stream), bucket.openUploadStreamWithId(_id, blobId));
    await partialOf(db).deleteOne({ _id });
  } catch (error) {
    // What cannot be removed now is removed by a sweep.
    await removePartial(db, _id).catch(() => undefined);
    const reason = failure();
    throw reason instanceof Error ? reason : storageError(reason ?? error);
  } finally {
    current.delete(String(_id));
  }
}

/** Removes what a put left behind, unless it was complete. True if there was something. */
async function removePartial(db: Db, _id: ObjectId): Promise<boolean> {
  const isComplete = (await db.collection(`${bucketName}.files`).countDocuments({ _id }, { limit: 1 })) > 0;
  if (!isComplete) await dropChunks(db, _id);
  await partialOf(db).deleteOne({ _id });
  return !isComplete;
}

async function sweep({ db, current }: Parts, before: number): Promise<number> {
  let removed = 0;
  for await (const { _id } of partialOf(db).find({ at: { $lt: before } })) {
    if (!current.has(String(_id)) && (await removePartial(db, _id))) removed += 1;
  }
  return removed;
}

async function guarded<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw storageError(error);
  }
}

/**
 * A blob store in GridFS, in the database of the records: so servers on several machines need no shared folder. Each blob is a file of
 * the bucket `blobs`, stored on a majority of the members.
 */
export function createMongoBlobs({ db, clock = systemClock }: MongoBlobsOptions): BlobStore {
  const bucket = new GridFSBucket(db, { bucketName });
  const parts: Parts = { db, bucket, current: new Set() };
  const find = async (blobId: string): Promise<GridFSFile[]> =>
    guarded(() => bucket.find({ filename: blobId }, { sort: { _id: -1 } }).toArray());
  return {
    async put(blobId, bytes) {
      assertBlobId(blobId);
      await put(parts, blobId, bytes, clock.now());
    },
    async open(blobId, range) {
      assertBlobId(blobId);
      const [file] = await find(blobId);
      return file === undefined ? null : read(bucket, file, range);
    },
    async delete(blobId) {
      assertBlobId(blobId);
      for (const { _id } of await find(blobId)) {
        // Another server may have been faster.
        await guarded(async () => void (await db.collection(`${bucketName}.files`).deleteOne({ _id })));
        await guarded(async () => void (await dropChunks(db, _id)));
      }
    },
    async *list() {
      for await (const file of bucket.find({})) yield entryOf(file);
    },
    sweepPartial: (before) => guarded(() => sweep(parts, before)),
    probe: () =>
      guarded(async () => {
        const filter = { _id: "probe" } as const;
        await db
          .collection<{ _id: string }>(`${bucketName}.probe`)
          .updateOne(filter, { $set: { at: clock.now() } }, { upsert: true });
      }),
  };
}
