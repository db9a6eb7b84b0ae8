import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliDecompressSync, gunzipSync, gzip, gzipSync } from "node:zlib";
import type { Exchange } from "../exchange/exchange.ts";
import type { HttpResponse } from "./http-response.ts";
import { matchesTag } from "./range.ts";

/** A file that is the same for all callers: kept compressed and perhaps plain, with a tag of its content. */
export interface KeptFile {
  readonly headers: Readonly<Record<string, string>>;
  /** Null if the file is unpacked for each of the few callers that want it plain. */
  readonly plain: Uint8Array | null;
  /** Returns the file packed with gzip. */
  readonly packed: () => Uint8Array;
  /** Packed with Brotli; null for a file that was not packed when it was built. */
  readonly brotli: Uint8Array | null;
  /** Names its content in `ETag`. */
  readonly tag: string;
}

/**
 * Packs a file once, so that each request costs no more than its bytes.
 * @param headers headers of its responses in addition to `ETag` and `Vary`
 * @param brotli the file as its build packed it: Brotli takes too long for the start of a server
 */
export function keepFile(plain: Uint8Array, headers: KeptFile["headers"], brotli: Uint8Array | null = null): KeptFile {
  const own = keptBytes(brotli ?? plain);
  if (brotli === null) return kept(own, { packed: packedLate(own, (bytes) => bytes), brotli }, headers);
  return kept(plain, { packed: packedLate(own, (bytes) => brotliDecompressSync(bytes)), brotli: own }, headers);
}

/** Packs a file for the first client that accepts gzip and not Brotli: until then, a server keeps no packed bytes. */
function packedLate(bytes: Uint8Array, unpack: (bytes: Uint8Array) => Uint8Array): KeptFile["packed"] {
  let packed: Uint8Array | undefined;
  return () => (packed ??= keptBytes(gzipSync(unpack(bytes), { level: 9 })));
}

/** A copy with its own memory: a small result of zlib is a view of a buffer of 64 KiB, and so is a small file that was read. */
const keptBytes = (bytes: Uint8Array): Uint8Array => Uint8Array.from(bytes);

/** Keeps one of many small files without its plain bytes, if it comes with Brotli. Unpacking must be cheap, because anyone can cause it. */
export const keepSmallFile: typeof keepFile = (...file) => ({ ...keepFile(...file), plain: null });

/** Packs a file in a thread: some megabytes take a second. */
export async function keepLargeFile(plain: Uint8Array, headers: KeptFile["headers"]): Promise<KeptFile> {
  const packed = keptBytes(await promisify(gzip)(plain, { level: 9 }));
  return kept(plain, { packed: () => packed, brotli: null }, headers);
}

function kept(
  plain: Uint8Array,
  { packed, brotli }: Pick<KeptFile, "packed" | "brotli">,
  headers: KeptFile["headers"],
): KeptFile {
  const tag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  // The tag is weak, because the packed bytes carry it, too.
  return {
    plain,
    packed,
    brotli,
    tag,
    headers: { ...headers, vary: "accept-encoding", etag: `W/${tag}` },
  };
}

/** True if a request accepts a coding; quality 0 refuses it. */
function takes(accepted: string, coding: "br" | "gzip"): boolean {
  const parts = accepted.toLowerCase().split(",");
  return parts.some((part) => {
    const [name, ...params] = part.split(";").map((word) => word.trim());
    return name === coding && !params.some((param) => param.startsWith("q=") && Number(param.slice(2)) === 0);
  });
}

/** The body in the smallest coding that the request accepts, with the headers that name it. */
function bodyOf(
  { headers, plain, packed, brotli }: KeptFile,
  accepted: string,
): Pick<HttpResponse, "headers" | "body"> {
  if (brotli !== null && takes(accepted, "br"))
    return { headers: { ...headers, "content-encoding": "br" }, body: brotli };
  if (takes(accepted, "gzip")) return { headers: { ...headers, "content-encoding": "gzip" }, body: packed() };
  return { headers, body: plain ?? gunzipSync(packed()) };
}

/** Answers with a file; with 304 if the caller has it. */
export function keptResponse(
  file: KeptFile,
  exchange: Pick<Exchange, "header">,
  status: 200 | 404 = 200,
): HttpResponse {
  const { headers, tag } = file;
  if (status === 200 && matchesTag(exchange.header("if-none-match"), tag)) return { status: 304, headers, body: null };
  return { status, ...bodyOf(file, exchange.header("accept-encoding") ?? "") };
}
