import { createHash } from "node:crypto";
import { TelexError } from "@telex/core";
import type { ByteRange, ByteStream } from "@telex/core/storage";
import { createS3Client, elementOf, type S3Client, type S3Options, type S3Response } from "./s3-client.ts";
import { upload } from "./s3-upload.ts";
import { type S3Object, unescapeXml, elementsOf, objectOf } from "./s3-xml.ts";
import { endUploads } from "./s3-leftovers.ts";

/** The objects below a prefix of a bucket. Every method rejects with TelexError `storage_full` or `storage_unavailable` if the service fails. */
export interface S3Objects {
  /** Stores a stream under a name and replaces an existing object. Readers never see a part of it. Rejects with the stream's error. */
  put(key: string, bytes: ByteStream): Promise<void>;
  /** The bytes or a range of them, or null if there is no such object. */
  open(key: string, range?: ByteRange): Promise<ByteStream | null>;
  /** Removes an object. Removing a missing object succeeds. */
  delete(key: string): Promise<void>;
  /** Every object, in the order of the names. */
  list(): AsyncIterable<S3Object>;
  /** The parts of the names before the first slash, which look like folders to a person. */
  folders(): AsyncIterable<string>;
  /**
   * Ends multipart uploads of other processes that began before `before` (Unix milliseconds). Returns their number.
   * @param isOurs true if an object with this name belongs to the caller; default: all
   */
  endUploads(before: number, isOurs?: (key: string) => boolean): Promise<number>;
  /** Rejects if the bucket is not usable. `write` stores a small object; `read` only requests it. */
  probe(how: "read" | "write"): Promise<void>;
}

const unavailable = (cause: unknown): TelexError => new TelexError("storage_unavailable", { cause });

/** The bytes of a response. A reader that stops early, even before the first byte, closes the connection. */
function bytesOf({ body }: S3Response): ByteStream {
  const chunks: AsyncIterator<Uint8Array, unknown> = body[Symbol.asyncIterator]();
  const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    const read = await chunks.next().catch((cause: unknown) => {
      throw unavailable(cause);
    });
    return read.done === true ? { done: true, value: undefined } : { done: false, value: read.value };
  };
  const stop = (): Promise<IteratorReturnResult<undefined>> => {
    // Errors of a connection that this function closes are ignored.
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
  if (code === "NoSuchBucket") throw unavailable(new Error("The S3 service responded with 404 NoSuchBucket."));
  return null;
}

/** The pages of a list, each as XML. */
async function* pagesOf(client: S3Client, pageSize: number, delimiter: string): AsyncGenerator<string> {
  const grouped: Readonly<Record<string, string>> = delimiter === "" ? {} : { delimiter };
  const request = { "list-type": "2", "max-keys": String(pageSize), prefix: client.prefix, ...grouped };
  for (let token: string | null = ""; token !== null;) {
    const after: Readonly<Record<string, string>> = token === "" ? {} : { "continuation-token": token };
    const xml = await client.sendForText({ method: "GET", query: { ...request, ...after } });
    yield xml;
    const next = elementOf(xml, "NextContinuationToken");
    token = next === null ? null : unescapeXml(next);
  }
}

async function* list(client: S3Client, pageSize: number): AsyncGenerator<S3Object> {
  for await (const xml of pagesOf(client, pageSize, "")) {
    for (const contents of elementsOf(xml, "Contents")) yield objectOf(client, contents);
  }
}

async function* folders(client: S3Client, pageSize: number): AsyncGenerator<string> {
  for await (const xml of pagesOf(client, pageSize, "/")) {
    for (const common of elementsOf(xml, "CommonPrefixes")) {
      const prefix = unescapeXml(elementOf(common, "Prefix") ?? "");
      yield prefix.slice(client.prefix.length).replace(/\/$/, "");
    }
  }
}

const ready = new TextEncoder().encode("ready");

/** Sends one brief request, so that an unresponsive service fails quickly. */
async function probe(client: S3Client, how: "read" | "write"): Promise<void> {
  if (how === "write") {
    const headers = { "x-amz-content-sha256": createHash("sha256").update(ready).digest("hex") };
    const { body } = await client.send({ method: "PUT", key: "probe", headers, body: ready, isBrief: true });
    await body.dump();
    return;
  }
  const text = await client.sendForText({ method: "GET", key: "probe", isBrief: true }, [404]);
  if (elementOf(text, "Code") === "NoSuchBucket")
    throw unavailable(new Error("The S3 service responded with 404 NoSuchBucket."));
}

/**
 * The objects of a bucket of S3, or of a service with the same protocol. An object is uploaded in parts of 5 MiB, one at a time, and
 * the service checks the digest of each part. The service determines how durable objects are.
 * @throws TypeError for an endpoint that is not an http(s) address, and for a bucket without a name
 */
export function createS3Objects(options: S3Options): S3Objects {
  if (!URL.canParse(options.endpoint) || !/^https?:\/\//.test(options.endpoint)) {
    throw new TypeError("The endpoint of S3 must begin with http:// or https://.");
  }
  if (options.bucket === "") throw new TypeError("The name of the S3 bucket must not be empty.");
  const client = createS3Client(options);
  const active = new Set<string>();
  const pageSize = options.pageSize ?? 1000;
  return {
    put: (key, bytes) => upload(client, key, bytes, active),
    open: (key, range) => open(client, key, range),
    async delete(key) {
      const response = await client.send({ method: "DELETE", key }, [404]);
      await response.body.dump();
    },
    list: () => list(client, pageSize),
    folders: () => folders(client, pageSize),
    endUploads: (before, isOurs = () => true) => endUploads(client, { before, isOurs, active }),
    probe: (how) => probe(client, how),
  };
}
