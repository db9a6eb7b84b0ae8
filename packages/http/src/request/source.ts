import { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { TelexError } from "@telex/core";
import type { H3Event } from "h3";
import { nodeOf } from "../server/node.ts";

/**
 * The bytes of a request body, not read yet. Bytes that the host has read before are taken from `req.rawBody`.
 * @throws Error when the host has read the body and kept no bytes: a fault of its set-up
 */
export function sourceOf(event: H3Event): Readable {
  const req = nodeOf(event)?.req;
  if (req === undefined) return event.req.body === null ? Readable.from([]) : Readable.fromWeb(event.req.body);
  const raw: unknown = "rawBody" in req ? req.rawBody : undefined;
  if (raw instanceof Uint8Array) return Readable.from([raw]);
  if (req.readableDidRead) throw new Error("the host has read the request body and left no req.rawBody");
  return req;
}

/** A Node request is left open when its body is given up, so that it can be answered; nothing else is. */
export const staysOpen = (source: Readable): boolean => source instanceof IncomingMessage;

/** What went wrong on the way in, for the caller: refusals of ours as they are, everything else as a broken-off body. */
export const brokenOff = (cause: unknown): TelexError =>
  TelexError.is(cause) ? cause : new TelexError("invalid_request", { reason: "body_broken_off", cause });

/** The number of bytes that a request announces; NaN where it does not. */
export const announcedSize = (event: H3Event): number => Number(event.req.headers.get("content-length") ?? Number.NaN);

/** The media type of a request, in lower case and without its parameters; `""` where it names none. */
export const mediaType = (event: H3Event): string =>
  (event.req.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";

/**
 * Refuses bodies in a coding such as gzip.
 * @throws TelexError `unsupported_media`
 */
export function refuseCoding(event: H3Event): void {
  const coding = (event.req.headers.get("content-encoding") ?? "identity").trim().toLowerCase();
  if (coding !== "identity") {
    throw new TelexError("unsupported_media", { params: { expected: "Content-Encoding: identity" } });
  }
}
