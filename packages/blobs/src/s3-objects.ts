import { createHash } from "node:crypto";
import { TelexError } from "@telex/core";
import type { ByteRange, ByteStream } from "@telex/core/storage";
import { createS3Client, elementOf, type S3Client, type S3Options, type S3Response } from "./s3-client.ts";
import { abortUpload, upload } from "./s3-upload.ts";

/** An object of a bucket. */
export interface S3Object {
  /** Its name behind the prefix. */
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Unix milliseconds. */
  readonly modifiedAt: number;
}

/** The objects below a prefix of a bucket. Every method rejects with TelexError `storage_full` or `storage_unavailable` if the service fails. */
export interface S3Objects {
  /** Stores a stream under a name, in place of what was there. Nobody sees a part of it. Rejects with what the stream throws. */
  put(key: string, bytes: ByteStream): Promise<void>;
  /** The bytes or a range of them, or null if there is no such object. */
  open(key: string, range?: ByteRange): Promise<ByteStream | null>;
  /** Removes an object; one that is not there is fine. */
  delete(key: string): Promise<void>;
  /** Every object, in the order of the names. */
  list(): AsyncIterable<S3Object>;
  /** What the names have before their first slash: the folders, as a person would see them. */
  folders(): AsyncIterable<string>;
  /**
   * Ends uploads in parts that began before `before` (Unix milliseconds) and that other processes have left behind. Answers how many.
   * @param isOurs whether an object with this name may be ended; default: all
   */
  endUploads(before: number, isOurs?: (key: string) => boolean): Promise<number>;
  /** Rejects if the bucket takes no objects. Writes a small one; `read` only asks for it. */
  probe(how: "read" | "write"): Promise<void>;
}

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
  if (code === "NoSuchBucket") throw unavailable(new Error("The S3 service responded with 404 NoSuchBucket."));
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

const objectOf = (client: S3Client, xml: string): S3Object => ({
  key: nameOf(client, xml),
  size: Number(elementOf(xml, "Size")),
  modifiedAt: Date.parse(elementOf(xml, "LastModified") ?? ""),
});

/** The pages of a list, each as XML. */
async function* pagesOf(client: S3Client, pageSize: number, delimiter: string): AsyncGenerator<string> {
  const grouped: Readonly<Record<string, string>> = delimiter === "" ? {} : { delimiter };
  const asked = { "list-type": "2", "max-keys": String(pageSize), prefix: client.prefix, ...grouped };
  for (let token: string | null = ""; token !== null;) {
    const after: Readonly<Record<string, string>> = token === "" ? {} : { "continuation-token": token };
    const xml = await client.sendForText({ method: "GET", query: { ...asked, ...after } });
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

/** Which uploads may be ended. */
interface Leftovers {
  /** Unix milliseconds. */
  readonly before: number;
  readonly isOurs: (key: string) => boolean;
  /** Uploads that are in progress here. */
  readonly active: ReadonlySet<string>;
}

/** Ends uploads that a process has left behind. A page has the first 1000; the next call takes the others. */
async function endUploads(client: S3Client, { before, isOurs, active }: Leftovers): Promise<number> {
  const xml = await client.sendForText({ method: "GET", query: { uploads: "", prefix: client.prefix } });
  let ended = 0;
  for (const left of elementsOf(xml, "Upload")) {
    const [name, uploadId] = [nameOf(client, left), elementOf(left, "UploadId") ?? ""];
    const isOld = Date.parse(elementOf(left, "Initiated") ?? "") < before;
    if (!isOld || !isOurs(name) || active.has(uploadId)) continue;
    await abortUpload(client, name, uploadId);
    ended += 1;
  }
  return ended;
}

const ready = new TextEncoder().encode("ready");

/** Asks once and briefly, so that a service that does not respond is told from one that does. */
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
 * The objects of a bucket of S3, or of a service that speaks its protocol. An object is uploaded in parts of 5 MiB, one at a time, and
 * the service checks the digest of each. It is as durable as the service makes it.
 * @throws TypeError for an endpoint that is not an http(s) address, and for a bucket without a name
 */
export function createS3Objects(options: S3Options): S3Objects {
  if (!URL.canParse(options.endpoint) || !/^https?:\/\//.test(options.endpoint)) {
    throw new TypeError("The endpoint of S3 must begin with http:// or https://.");
  }
  if (options.bucket === "") throw new TypeError("The bucket of S3 must have a name.");
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
