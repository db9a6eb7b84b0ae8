import type { Readable } from "node:stream";
import { type Locale, localeOf } from "@telex/core/transport";

/** The body of a request. It is read once, in one of these ways. */
export interface IncomingBody {
  /** The body as a parser of the host, such as `express.json()`, read it; undefined if none ran. */
  readonly parsed: unknown;
  /** The bytes, if all of them have arrived and no parser has read them; otherwise null. */
  takeArrived(): Uint8Array | null;
  /**
   * The bytes as they come.
   * @throws Error when the host has read the body and kept no bytes: a fault of its set-up
   */
  open(): Readable;
}

/** One HTTP request, from any host. Only `server/h3.ts` knows which framework it came through. */
export interface Exchange {
  readonly method: string;
  /** The path, in its wire encoding. */
  readonly path: string;
  /** The query with its question mark, or `""`. */
  readonly search: string;
  /** The fields of the path, in their wire encoding. */
  readonly params: Readonly<Record<string, string>>;
  /** The address of the other side of the connection; null if the host does not report it. */
  readonly address: string | null;
  readonly body: IncomingBody;
  /** Aborted when the client no longer waits for the response. */
  readonly signal: AbortSignal;
  /**
   * The value of a header; null if the request does not have it.
   * @param name in lower case
   */
  header(name: string): string | null;
  /** Calls the listener once: with true when the response was written to its end, with false when it no longer can be. */
  onWritten(listener: (written: boolean) => void): void;
}

/** The language that a request asks for: in `?lang=`, or in `Accept-Language`. */
export function languageOf(exchange: Exchange, fallback: Locale): Locale {
  const { search } = exchange;
  const lang = search.includes("lang=") ? new URLSearchParams(search).get("lang") : null;
  return localeOf({ lang, header: exchange.header("accept-language") }, fallback);
}
