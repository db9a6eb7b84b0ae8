import { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { TelexError } from "@telex/core";
import { nextTick } from "@telex/core/transport";
import type { Exchange, IncomingBody } from "./exchange.ts";

/** The body of a Node request. Bytes that the host has read before are taken from `req.rawBody`. */
export class NodeBody implements IncomingBody {
  readonly #req: IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown };

  #isTaken = false;

  constructor(req: IncomingMessage) {
    this.#req = req;
  }

  get parsed(): unknown {
    return this.#req.readableDidRead ? this.#req.body : undefined;
  }

  takeArrived(): Uint8Array | null {
    const req = this.#req;
    if (req.readableDidRead || req.readableEncoding !== null || req.rawBody !== undefined) return null;
    // Node's parser delivers the last byte, and reports only in the next tick that it was the last one.
    if (!req.complete && req.readableLength !== Number(req.headers["content-length"])) return null;
    const chunk: unknown = req.read();
    this.#isTaken = true;
    return chunk instanceof Uint8Array ? chunk : new Uint8Array();
  }

  /**
   * Resolves when the parser has also finished a body that was taken: a response before that would be early. Null if it has finished
   * already.
   */
  end(): Promise<void> | null {
    if (!this.#isTaken) return null;
    // Reading beyond the last byte is what ends the stream.
    if (!this.#req.complete) return nextTick().then(() => void this.#req.read());
    this.#req.read();
    return null;
  }

  open(): Readable {
    const { rawBody } = this.#req;
    if (rawBody instanceof Uint8Array) return Readable.from([rawBody]);
    if (this.#req.readableDidRead) throw new Error("the host has read the request body and left no req.rawBody");
    return this.#req;
  }
}

/** The body of a `Request`. */
export class WebBody implements IncomingBody {
  readonly parsed = undefined;
  readonly #request: Pick<Request, "body">;

  constructor(request: Pick<Request, "body">) {
    this.#request = request;
  }

  takeArrived(): null {
    return null;
  }

  open(): Readable {
    const { body } = this.#request;
    return body === null ? Readable.from([]) : Readable.fromWeb(body);
  }
}

/** Only a Node request stays open when its body is given up, so that the server can still respond. */
export const staysOpen = (source: Readable): boolean => source instanceof IncomingMessage;

/** The error of a body for the caller: errors of Telex unchanged, all others as an interrupted body. */
export const brokenOff = (cause: unknown): TelexError =>
  TelexError.is(cause) ? cause : new TelexError("invalid_request", { reason: "body_broken_off", cause });

/** The number of bytes that a request announces; NaN if it does not. */
export const announcedSize = (exchange: Exchange): number => Number(exchange.header("content-length") ?? Number.NaN);

/** The media type of a request, in lower case and without its parameters; `""` if it names none. */
export function mediaType(exchange: Exchange): string {
  const type = exchange.header("content-type") ?? "";
  if (type === "application/json") return type;
  const end = type.indexOf(";");
  return (end < 0 ? type : type.slice(0, end)).trim().toLowerCase();
}

/**
 * Refuses bodies in a coding such as gzip.
 * @throws TelexError `unsupported_media`
 */
export function refuseCoding(exchange: Exchange): void {
  const coding = exchange.header("content-encoding");
  if (coding !== null && coding.trim().toLowerCase() !== "identity")
    throw new TelexError("unsupported_media", { params: { expected: "Content-Encoding: identity" } });
}
