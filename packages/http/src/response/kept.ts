import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip, gzipSync } from "node:zlib";
import type { Exchange } from "../exchange/exchange.ts";
import type { HttpResponse } from "./http-response.ts";
import { matchesTag } from "./range.ts";

/** A file that is the same for all callers: kept plain and compressed, with a tag of its content. */
export interface KeptFile {
  readonly headers: Readonly<Record<string, string>>;
  readonly plain: Uint8Array;
  readonly packed: Uint8Array;
  /** Names its content in `ETag`. */
  readonly tag: string;
}

/**
 * Packs a file, so that any number of requests cost no more than its bytes.
 * @param headers what its responses carry besides `ETag` and `Vary`
 */
export const keepFile = (plain: Uint8Array, headers: KeptFile["headers"]): KeptFile =>
  kept(plain, gzipSync(plain, { level: 9 }), headers);

/** Packs a file in a thread: a second of work for some megabytes. */
export const keepLargeFile = async (plain: Uint8Array, headers: KeptFile["headers"]): Promise<KeptFile> =>
  kept(plain, await promisify(gzip)(plain, { level: 9 }), headers);

function kept(plain: Uint8Array, packed: Uint8Array, headers: KeptFile["headers"]): KeptFile {
  const tag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  // The tag is weak, because the packed bytes carry it, too.
  return { plain, packed, tag, headers: { ...headers, vary: "accept-encoding", etag: `W/${tag}` } };
}

/** True where a request takes a gzip coding; one with quality 0 is a refusal. */
const takesGzip = (header: string | null): boolean =>
  /(?:^|,)\s*gzip\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|,|$)/i.test(header ?? "");

/** Answers with a file; with 304 if the caller has it. */
export function keptResponse(
  { headers, plain, packed, tag }: KeptFile,
  exchange: Pick<Exchange, "header">,
  status: 200 | 404 = 200,
): HttpResponse {
  if (status === 200 && matchesTag(exchange.header("if-none-match"), tag)) return { status: 304, headers, body: null };
  return takesGzip(exchange.header("accept-encoding"))
    ? { status, headers: { ...headers, "content-encoding": "gzip" }, body: packed }
    : { status, headers, body: plain };
}
