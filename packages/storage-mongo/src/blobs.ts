import { type Clock, systemClock } from "@telex/core";
import {
  assertBlobId,
  type BlobEntry,
  type BlobStore,
  type ByteRange,
  type ByteStream,
  DamagedBlobError,
} from "@telex/core/storage";
import type { ObjectId } from "mongodb";
import { type Db, GridFSBucket, type GridFSFile, MongoGridFSChunkError } from "mongodb";
import { guarded, isServerFault, storageError } from "./driver/errors.ts";
import { eachInTime, inTime } from "./driver/in-time.ts";
import { bucketName, type BlobDeps, hasFile, dropChunks, put, sweep, stepTime } from "./blob-writes.ts";

/** How {@link createMongoBlobs} works. */
export interface MongoBlobsOptions {
  /** The database: `storage.connection.db`. It stays open as long as the storage. */
  readonly db: Db;
  /** Dates the remains of interrupted puts. Default: the clock of the machine. */
  readonly clock?: Clock;
}

const entryOf = ({ filename, length, uploadDate }: GridFSFile): BlobEntry => ({
  blobId: filename,
  size: length,
  createdAt: uploadDate.getTime(),
});

/** Reads a range of a file with one cursor. The driver does not reuse a buffer that it has returned. */
async function* readOnce({ bucket, time }: BlobDeps, id: ObjectId, start: number, end: number): ByteStream {
  const stream = bucket.openDownloadStream(id, { start, end });
  try {
    for await (const buffer of eachInTime(time, stream)) yield new Uint8Array(buffer);
  } finally {
    // Ends the cursor of an interrupted download.
    if (!stream.readableEnded) void stream.abort().catch(() => undefined);
  }
}

/** The bytes of a file, or a range of them. If a cursor is lost after it has read bytes, another one continues where it ended. */
async function* read(deps: BlobDeps, { _id, length }: GridFSFile, range: ByteRange | undefined): ByteStream {
  let start = Math.max(0, range?.start ?? 0);
  const end = Math.min(length, (range?.end ?? length - 1) + 1);
  while (start < end) {
    const begun = start;
    try {
      for await (const chunk of readOnce(deps, _id, start, end)) {
        start += chunk.byteLength;
        yield chunk;
      }
      // The driver does not notice this.
      if (start < end) throw new MongoGridFSChunkError("The last chunks are missing.");
    } catch (error) {
      if (start === begun || !isServerFault(error)) throw await readError(deps, _id, error);
    }
  }
}

/** The error for a reader. If chunks are missing and the file exists, no deletion is in progress: they are lost. */
async function readError({ db, time }: BlobDeps, id: ObjectId, error: unknown): Promise<Error> {
  if (!(error instanceof MongoGridFSChunkError)) return storageError(error);
  const isThere = await inTime(time, hasFile(db, id)).catch(() => false);
  const message = `Bytes of the file ${String(id)} are missing in GridFS: ${error.message}`;
  return isThere ? new DamagedBlobError(message, { cause: error }) : storageError(error);
}

/**
 * A blob store in GridFS, in the database of the records, so servers on several machines need no shared folder. Each blob is a file of
 * the bucket `blobs`, stored on a majority of the members. Rejects with `storage_unavailable` if the database does not answer a step of an
 * upload or download within twice the `timeout` of the storage.
 */
export function createMongoBlobs({ db, clock = systemClock }: MongoBlobsOptions): BlobStore {
  const bucket = new GridFSBucket(db, { bucketName });
  const time = stepTime(db);
  const deps: BlobDeps = { db, bucket, current: new Set(), time };
  const single = <Result>(run: () => Promise<Result>): Promise<Result> => guarded(() => inTime(time, run()));
  const find = async (blobId: string): Promise<GridFSFile[]> =>
    single(() => bucket.find({ filename: blobId }, { sort: { _id: -1 } }).toArray());
  return {
    async put(blobId, bytes) {
      assertBlobId(blobId);
      await put(deps, blobId, bytes, clock.now());
    },
    async open(blobId, range) {
      assertBlobId(blobId);
      const [file] = await find(blobId);
      return file === undefined ? null : read(deps, file, range);
    },
    async delete(blobId) {
      assertBlobId(blobId);
      for (const { _id } of await find(blobId)) {
        // Another server may have been faster.
        await single(async () => void (await db.collection(`${bucketName}.files`).deleteOne({ _id })));
        await single(async () => void (await dropChunks(db, _id)));
      }
    },
    async *list() {
      for await (const file of eachInTime(time, bucket.find({}))) yield entryOf(file);
    },
    sweepPartial: (before) => guarded(() => sweep(deps, before)),
    probe: () =>
      single(async () => {
        const filter = { _id: "probe" } as const;
        await db
          .collection<{ _id: string }>(`${bucketName}.probe`)
          .updateOne(filter, { $set: { at: clock.now() } }, { upsert: true });
      }),
  };
}
