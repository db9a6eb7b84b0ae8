import { type ByteStream, DamagedBlobError } from "@telex/core/storage";
import type { Filter } from "mongodb";
import { describe, expect, it } from "vitest";
import { createMongoBlobs } from "../src/index.ts";
import { startCuttingProxy } from "./support/cutting-proxy.ts";
import { newDatabase, openStorage } from "./support/database.ts";

const blobId = "0".repeat(32);
/** Bytes of a GridFS chunk. */
const chunkSize = 255 * 1024;
/** Three chunks; the last one is short. */
const bytes = Buffer.alloc(2.5 * chunkSize, "telex");

async function* whole(): ByteStream {
  yield bytes;
}

/** A blob in three chunks. */
async function openDamaged(url = newDatabase(), timeout = 60_000) {
  const { connection } = await openStorage({ url, timeout });
  const blobs = createMongoBlobs(connection);
  await blobs.put(blobId, whole());
  const chunks = connection.db.collection<{ readonly n: number; readonly data: Buffer }>("blobs.chunks");
  return { blobs, chunks, lose: (lost: Filter<{ readonly n: number }>) => chunks.deleteMany(lost) };
}

async function collect(stream: ByteStream | null): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe("a blob whose chunks are missing in GridFS", () => {
  it.each([
    { name: "the first one", lost: { n: 0 } },
    { name: "one in the middle", lost: { n: 1 } },
    { name: "the last one", lost: { n: 2 } },
    { name: "all", lost: {} },
  ])("is damaged: $name", async ({ lost }) => {
    const { blobs, lose } = await openDamaged();
    await lose(lost);
    await expect(collect(await blobs.open(blobId))).rejects.toThrow(DamagedBlobError);
  });

  it("can be read where its chunks are there", async () => {
    const { blobs, lose } = await openDamaged();
    await lose({ n: 1 });
    for (const range of [
      { start: 7, end: chunkSize - 1 },
      { start: 2 * chunkSize, end: bytes.length - 1 },
    ]) {
      const part = await collect(await blobs.open(blobId, range));
      expect(part.equals(bytes.subarray(range.start, range.end + 1))).toBe(true);
    }
    const over = await blobs.open(blobId, { start: chunkSize - 1, end: 2 * chunkSize });
    await expect(collect(over)).rejects.toThrow(DamagedBlobError);
  });

  it("is damaged if a chunk is shorter than it was", async () => {
    const { blobs, chunks } = await openDamaged();
    await chunks.updateOne({ n: 1 }, { $set: { data: Buffer.from("short") } });
    await expect(collect(await blobs.open(blobId))).rejects.toThrow(DamagedBlobError);
  });

  it("is not damaged if it was deleted while it was read", async () => {
    const proxy = await startCuttingProxy(newDatabase());
    const { blobs } = await openDamaged(proxy.url);
    const stream = await blobs.open(blobId);
    const file = proxy.holdAt("find", "blobs.files");
    const read = collect(stream);
    const sendOn = await file;
    const chunks = proxy.holdAt("find", "blobs.chunks");
    sendOn();
    const readChunks = await chunks;
    await blobs.delete(blobId);
    readChunks();
    await expect(read).rejects.toMatchObject({ code: "storage_unavailable" });
  });

  it("is not taken for damaged while the database cannot say that the blob is still there", async () => {
    const database = newDatabase();
    // The database is created before, because that takes longer than a command may take here.
    await openStorage({ url: database, timeout: 60_000 });
    const proxy = await startCuttingProxy(database);
    const { blobs, lose } = await openDamaged(proxy.url, 3000);
    await lose({ n: 1 });
    const stream = await blobs.open(blobId);
    proxy.loseAt("aggregate");
    await expect(collect(stream)).rejects.toMatchObject({ code: "storage_unavailable" });
  });
});
