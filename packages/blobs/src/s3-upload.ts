import { createHash } from "node:crypto";
import { TelexError } from "@telex/core";
import type { ByteStream } from "@telex/core/storage";
import { elementOf, type S3Client } from "./s3-client.ts";

/** Bytes of a part: the minimum of S3, so that an upload needs little memory. 10,000 parts are 48 GiB. */
const partSize = 5 * 2 ** 20;

/** A part of an upload, and the digest that the service checks. */
interface Part {
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

/** Cuts a stream into at least one part. Each part is valid until the next one is requested. */
async function* partsOf(stream: ByteStream): AsyncGenerator<Part> {
  const buffer = new Uint8Array(partSize);
  let size = 0;
  let count = 0;
  let hash = createHash("sha256");
  const take = (): Part => {
    const part = { bytes: buffer.subarray(0, size), sha256: hash.digest("hex") };
    hash = createHash("sha256");
    size = 0;
    count += 1;
    return part;
  };
  for await (const chunk of stream) {
    for (let at = 0; at < chunk.byteLength;) {
      // A full part is returned only when another byte follows, so that a stream of exactly one part stays one part.
      if (size === partSize) yield take();
      const piece = chunk.subarray(at, at + partSize - size);
      buffer.set(piece, size);
      hash.update(piece);
      size += piece.byteLength;
      at += piece.byteLength;
    }
  }
  if (size > 0 || count === 0) yield take();
}

/** A multipart upload in progress. Its object does not exist until the upload is complete. */
interface Multipart {
  readonly add: (part: Part) => Promise<void>;
  readonly complete: () => Promise<void>;
}

const signed = ({ sha256 }: Pick<Part, "sha256">) => ({ "x-amz-content-sha256": sha256 });

/** True if an object with this key exists. */
async function exists(client: S3Client, key: string): Promise<boolean> {
  const { statusCode, body } = await client.send({ method: "GET", key, headers: { range: "bytes=0-0" } }, [404]);
  await body.dump();
  return statusCode !== 404;
}

function createMultipart(client: S3Client, key: string, uploadId: string): Multipart {
  const tags: string[] = [];
  return {
    async add(part) {
      const query = { partNumber: String(tags.length + 1), uploadId };
      const response = await client.send({ method: "PUT", key, query, headers: signed(part), body: part.bytes });
      await response.body.dump();
      tags.push(String(response.headers["etag"] ?? ""));
    },
    async complete() {
      const parts = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
      const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
      const text = await client.sendForText({ method: "POST", key, query: { uploadId }, body }, [404]);
      // An earlier request may have completed the upload although its response was lost.
      if (elementOf(text, "Code") === "NoSuchUpload" && (await exists(client, key))) return;
      // S3 sends 200 before it assembles the object, so only the body says whether that worked.
      if (elementOf(text, "Code") !== null || !text.includes("CompleteMultipartUploadResult"))
        throw new TelexError("storage_unavailable", { cause: new Error("The S3 service did not complete an upload.") });
    },
  };
}

async function beginUpload(client: S3Client, key: string): Promise<string> {
  const uploadId = elementOf(await client.sendForText({ method: "POST", key, query: { uploads: "" } }), "UploadId");
  if (uploadId !== null) return uploadId;
  throw new TelexError("storage_unavailable", { cause: new Error("The S3 service did not start an upload.") });
}

/** Aborts an upload. Aborting an upload that has ended succeeds. */
export async function abortUpload(client: S3Client, key: string, uploadId: string): Promise<void> {
  const response = await client.send({ method: "DELETE", key, query: { uploadId } }, [404]);
  await response.body.dump();
}

async function putWhole(client: S3Client, key: string, part: Part): Promise<void> {
  const response = await client.send({ method: "PUT", key, headers: signed(part), body: part.bytes });
  await response.body.dump();
}

/** Uploads the parts, and keeps the upload in `active` until it ends. */
async function putParts(client: S3Client, key: string, parts: AsyncIterable<Part>, active: Set<string>): Promise<void> {
  const uploadId = await beginUpload(client, key);
  active.add(uploadId);
  try {
    const multipart = createMultipart(client, key, uploadId);
    for await (const part of parts) await multipart.add(part);
    await multipart.complete();
  } catch (error) {
    // An upload that cannot be aborted is left to the sweep. The caller gets the first failure.
    await abortUpload(client, key, uploadId).catch(() => {});
    throw error;
  } finally {
    active.delete(uploadId);
  }
}

/** Puts back the parts that were read ahead. */
async function* withFirst(first: Part, rest: AsyncIterator<Part>): AsyncGenerator<Part> {
  yield first;
  for (;;) {
    const next = await rest.next();
    if (next.done === true) return;
    yield next.value;
  }
}

/**
 * Stores a stream as an object: small ones with one request, others in parts, one at a time.
 * @param active ids of uploads in progress in this process
 * @throws the stream's error; TelexError `storage_full`, `storage_unavailable`
 */
export async function upload(client: S3Client, key: string, stream: ByteStream, active: Set<string>): Promise<void> {
  const parts = partsOf(stream);
  try {
    const first = await parts.next();
    if (first.done === true) return;
    if (first.value.bytes.byteLength < partSize) await putWhole(client, key, first.value);
    else await putParts(client, key, withFirst(first.value, parts), active);
  } finally {
    // A failed upload stops reading, so that the stream frees its resources.
    await parts.return(undefined);
  }
}
