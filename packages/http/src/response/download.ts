import { Readable } from "node:stream";
import { type AvatarView, TelexError } from "@telex/core";
import type { ByteStream } from "@telex/core/storage";
import type { OutgoingFile } from "@telex/core/transport";
import type { Exchange } from "../exchange/exchange.ts";
import { contentDisposition } from "./disposition.ts";
import { matchesTag, selectRange } from "./range.ts";
import type { HttpResponse, Refuse } from "./http-response.ts";

/** A browser keeps an image, but asks each time whether it still exists: it may have been blocked. */
const imageCaching = "no-cache";
/** The address of an attachment is a secret between those who know it. */
const attachmentCaching = "private, no-cache";
/** The image itself may return, so a browser asks each time. */
const noImageCaching = "no-cache";
/** As the interface writes it (interface 4.4). */
const avatarCaching = "max-age=43200";

/** The type of everything that is not an image: a browser neither shows it nor runs it, whatever its sender called it. */
const attachmentType = "application/octet-stream";

/** Which sites may embed a download: only the pages of this one, unless the option `cors` lets others call (`server/cors.ts`). */
const resourcePolicy = "same-origin";

/** The image that stands for one that was cleaned up (interface 2.10): a crossed square, 64 pixels a side. */
const noImage =
  "R0lGODlhQABAAIAAAN3d3ZmZmSH5BAQAAAAALAAAAABAAEAAAAL/jI+py+0Po5wO2Iuz3rz7jHziSHphiabfqbYuwL4yGc92V986lsPB" +
  "jjJoej7gSDg84H7GJYdoQTZBzA00Wp0Wl1KntmtVisA6ctIcNqKp6+SuzRPTsi943E6d4S/XJz34tyIH2LJ3F3iE6JXSZ6LoVjiogmd4" +
  "9pgoKNM4plgZ5umXpidZRwf6eUmIVUaq+XPqB8sFtAmYantbIiRr+VbFe8iaZ1ObCekKvCVaCgzHW7zsyJwbbTzZiqnKiG2trcu9eL3t" +
  "2UztU5mszGmYvpq41853uxkft55aP8x1mX+MKq3FXqxO5kYNDBWwGhYz/bIFS3gDGsR9E4mBq/iuIEY2Dxo3ymuohoLIkSRLmhxZAAA7";

/**
 * A stream whose first chunk has already been read: a file that cannot be opened fails before the response begins. If the reader stops,
 * also before the first chunk, the source is released.
 */
async function begin(bytes: ByteStream): Promise<ByteStream> {
  const rest = bytes[Symbol.asyncIterator]();
  const first = await rest.next();
  const held = [first];
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => held.pop() ?? (await rest.next()),
      return: async () => (await rest.return?.()) ?? { done: true, value: undefined },
    }),
  };
}

function fileHeaders(file: OutgoingFile, tag: string): Record<string, string> {
  const kind = file.inline ? "inline" : "attachment";
  return {
    "content-type": file.inline ? file.mime : attachmentType,
    "content-disposition": contentDisposition(kind, file.name),
    "cache-control": file.inline ? imageCaching : attachmentCaching,
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": resourcePolicy,
    "x-content-type-options": "nosniff",
    "accept-ranges": "bytes",
    etag: tag,
  };
}

/** The requested range, unless `If-Range` names another version of the file (RFC 9110 13.1.5). */
function rangeOf(exchange: Exchange, size: number, tag: string): ReturnType<typeof selectRange> {
  const ifRange = exchange.header("if-range");
  if (exchange.method !== "GET" || (ifRange !== null && ifRange !== tag)) return "whole";
  return selectRange(exchange.header("range"), size);
}

/** A file as a download, or the requested part of it (interface 4.7). */
export async function fileResponse(file: OutgoingFile, exchange: Exchange, refuse: Refuse): Promise<HttpResponse> {
  const tag = `"${file.etag}"`;
  const headers = fileHeaders(file, tag);
  if (matchesTag(exchange.header("if-none-match"), tag)) return { status: 304, headers, body: null };
  const range = rangeOf(exchange, file.size, tag);
  if (range === "unsatisfiable") {
    const options = { status: 416, headers: { "content-range": `bytes */${file.size}` } };
    return refuse(new TelexError("invalid_request"), options);
  }
  const isWhole = range === "whole";
  headers["content-length"] = String(isWhole ? file.size : range.end - range.start + 1);
  if (!isWhole) headers["content-range"] = `bytes ${range.start}-${range.end}/${file.size}`;
  const status = isWhole ? 200 : 206;
  if (exchange.method === "HEAD" || file.size === 0) return { status, headers, body: null };
  return { status, headers, body: await begin(await file.open(isWhole ? undefined : range)) };
}

/**
 * The response for a deleted image, if the installation prefers an image to a 404: a download like any other (interface 2.10).
 */
export async function placeholder(exchange: Exchange, refuse: Refuse): Promise<HttpResponse> {
  const bytes = Buffer.from(noImage, "base64");
  const file: OutgoingFile = {
    name: "noimage.gif",
    mime: "image/gif",
    size: bytes.length,
    etag: "noimage",
    inline: true,
    open: ({ start, end } = { start: 0, end: bytes.length - 1 }) =>
      Promise.resolve(Readable.from([bytes.subarray(start, end + 1)])),
  };
  const response = await fileResponse(file, exchange, refuse);
  return { ...response, headers: { ...response.headers, "cache-control": noImageCaching } };
}

/** An avatar (interface 4.4). */
export function avatarResponse(avatar: AvatarView, exchange: Exchange): HttpResponse {
  const tag = `"${avatar.etag}"`;
  const headers = {
    "content-type": "image/jpeg",
    "cache-control": avatarCaching,
    "x-content-type-options": "nosniff",
    etag: tag,
  };
  const isKnown = matchesTag(exchange.header("if-none-match"), tag);
  return isKnown ? { status: 304, headers, body: null } : { status: 200, headers, body: avatar.jpeg };
}
