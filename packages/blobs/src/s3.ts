import { createHash } from "node:crypto";
import { TelexError } from "@telex/core";
import type { BlobEntry, BlobStore, ByteRange, ByteStream } from "@telex/core/storage";
import { assertBlobId, isBlobId } from "./names.ts";
import { createS3Client, elementOf, type S3Client, type S3Options, type S3Response } from "./s3-client.ts";
import { abortUpload, upload } from "./s3-upload.ts";

export type { S3Options } from "./s3-client.ts";

const unavailable = (cause: unknown): TelexError => new TelexError("storage_unavailable", { cause });

/** The bytes of a response. A reader that stops early, also before it has begun, ends the connection. */
function bytesOf({ body }: S3Response): ByteStream {
  const chunks: AsyncIterator<Uint8Array, unknown> = body[Symbol.asyncIterator]();
  const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    const read = await chunks.next().catch((cause: unknown) => {
      throw unavailable(cause);
    });
    return read.done === true ? { done: true, value: undefined } : { done: false, value: read.value };
  };
  const stop = (): Promise<IteratorReturnResult<undefined>> => {
    // Nobody listens to what a connection says that is cut.
    body.on("error", () => {}).destroy();
    return Promise.resolve({ done: true, value: undefined });
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: stop }) };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function open(client: S3Client, key: string, range: ByteRange | undefined): Promise<ByteStream | null> {
  const headers = range === undefined ? {} : { range: `bytes=${Math.max(0, range.start)}-${range.end}` };
  // 416: the range begins after the end, as every range of an empty object does.
  const response = await client.send({ method: "GET", key, headers }, [404, 416]);
  const { statusCode, body } = response;
  if (statusCode !== 404 && statusCode !== 416) return bytesOf(response);
  const code = elementOf(await body.text(), "Code");
  if (statusCode === 416) return nothing();
  if (code === "NoSuchBucket") throw unavailable(new Error("There is no such bucket."));
  return null;
}

const unescapeXml = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll(/&(?:apos|#39|#x27);/g, "'")
    .replaceAll("&amp;", "&");

/** The name of an object behind the prefix; both may have characters that XML escapes. */
const nameOf = ({ prefix }: S3Client, xml: string): string =>
  unescapeXml(elementOf(xml, "Key") ?? "").slice(prefix.length);

/** The elements with this name, each as its inner XML. */
const elementsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "gs"))].flatMap(([, inner]) => inner ?? []);

function entryOf(client: S3Client, xml: string): BlobEntry | null {
  const blobId = nameOf(client, xml);
  if (!isBlobId(blobId)) return null;
  const createdAt = Date.parse(elementOf(xml, "LastModified") ?? "");
  return { blobId, size: Number(elementOf(xml, "Size")), createdAt };
}

async function* list(client: S3Client, pageSize: number): AsyncGenerator<BlobEntry> {
  const asked = { "list-type": "2", "max-keys": String(pageSize), prefix: client.prefix };
  for (let token: string | null = ""; token !== null;) {
    const after: Readonly<Record<string, string>> = token === "" ? {} : { "continuation-token": token };
    const xml = await client.sendForText({ method: "GET", query: { ...asked, ...after } });
    for (const contents of elementsOf(xml, "Contents")) {
      const entry = entryOf(client, contents);
      if (entry !== null) yield entry;
    }
    const next = elementOf(xml, "NextContinuationToken");
    token = next === null ? null : unescapeXml(next);
  }
}

/** Ends uploads that a process has left behind. A page has the first 1000; the next sweep takes the others. */
async function sweep(client: S3Client, before: number, active: ReadonlySet<string>): Promise<number> {
  const xml = await client.sendForText({ method: "GET", query: { uploads: "", prefix: client.prefix } });
  let swept = 0;
  for (const left of elementsOf(xml, "Upload")) {
    const [name, uploadId] = [nameOf(client, left), elementOf(left, "UploadId") ?? ""];
    const isOld = Date.parse(elementOf(left, "Initiated") ?? "") < before;
    if (!isOld || !isBlobId(name) || active.has(uploadId)) continue;
    await abortUpload(client, name, uploadId);
    swept += 1;
  }
  return swept;
}

/** What `probe` writes. Its name is not that of a blob. */
const probe = { key: "probe", bytes: new TextEncoder().encode("ready") };

/**
 * Blobs in a bucket of S3, or of a service that speaks its protocol. A blob is uploaded in parts of 5 MiB, one at a time, and the service
 * checks the digest of each. It is as durable as the service makes it.
 * @throws TypeError for an endpoint that is not an http(s) address, and for a bucket without a name
 * @example
 * const blobs = createS3Blobs({ endpoint: "http://127.0.0.1:9000", bucket: "telex", accessKeyId, secretAccessKey });
 */
export function createS3Blobs(options: S3Options): BlobStore {
  if (!URL.canParse(options.endpoint) || !/^https?:\/\//.test(options.endpoint)) {
    throw new TypeError("The endpoint of S3 must begin with http:// or https://.");
  }
  if (options.bucket === "") throw new TypeError("The bucket of S3 must have a name.");
  const client = createS3Client(options);
  const active = new Set<string>();
  return {
    async put(blobId, bytes) {
      assertBlobId(blobId);
      await upload(client, blobId, bytes, active);
    },
    async open(blobId, range) {
      assertBlobId(blobId);
      return await open(client, blobId, range);
    },
    async delete(blobId) {
      assertBlobId(blobId);
      const response = await client.send({ method: "DELETE", key: blobId }, [404]);
      await response.body.dump();
    },
    list: () => list(client, options.pageSize ?? 1000),
    sweepPartial: (before) => sweep(client, before, active),
    async probe() {
      const headers = { "x-amz-content-sha256": createHash("sha256").update(probe.bytes).digest("hex") };
      const response = await client.send({ method: "PUT", key: probe.key, headers, body: probe.bytes });
      await response.body.dump();
    },
  };
}
