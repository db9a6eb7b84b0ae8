import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";
import { type Limits, TelexError } from "@telex/core";
import type { IncomingFile } from "@telex/core/transport";
import type { HttpLimits } from "../limits.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { brokenOff, staysOpen } from "../exchange/source.ts";

/** The limits of an upload. */
export type UploadLimits = Pick<Limits, "fileSize"> &
  Pick<HttpLimits, "uploadSilence" | "uploadTime" | "uploadParts" | "partHeaderSize">;

/** An incoming file. */
export interface Upload {
  readonly file: IncomingFile;
  /** Stops reading. Call it whether the file was stored or not. */
  close(): void;
}

/** Bytes that a form may have in addition to its file: boundaries, part headers, other fields. */
export const formOverhead = 1024 * 1024;

export const unnamed = "file";

export const tooLarge = (max: number): TelexError => new TelexError("too_large", { params: { max } });

export const missing = (): TelexError => new TelexError("invalid_request", { reason: "body_missing_file" });

/** The value of a promise, unless `silence` milliseconds pass first. */
async function within<T>(promise: Promise<T>, silence: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new TelexError("timeout")), silence);
  promise.catch(() => {});
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/**
 * The chunks of a body, which arrive within `uploadTime`. The clock runs only while it waits for the sender, and the stream is left open at the end, so that
 * a refusal can be answered.
 */
export async function* chunksOf(
  source: Readable,
  max: number,
  { uploadSilence, uploadTime }: UploadLimits,
): AsyncGenerator<Uint8Array, void, undefined> {
  const deadline = performance.now() + uploadTime;
  const chunks: AsyncIterator<Uint8Array, undefined> = source.iterator({ destroyOnReturn: !staysOpen(source) });
  let size = 0;
  try {
    for (;;) {
      const left = deadline - performance.now();
      if (left <= 0) throw new TelexError("timeout");
      const chunk = await within(chunks.next(), Math.min(uploadSilence, left));
      if (chunk.done === true) return;
      size += chunk.value.length;
      if (size > max) throw tooLarge(max);
      yield chunk.value;
    }
  } catch (cause) {
    throw brokenOff(cause);
  } finally {
    // While an iterator reads the stream, `linger` cannot read the rest of it.
    chunks.return?.()?.catch(() => {});
    if (!staysOpen(source)) source.destroy();
  }
}

/** The bytes of a file part; they end only when the rest of the form has been read and is valid. */
async function* partBytes(part: Readable, form: Promise<void>, max: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of part as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > max) throw tooLarge(max);
      yield chunk;
    }
  } catch (cause) {
    throw brokenOff(cause);
  }
  await form;
}

function createParser(exchange: Exchange, limits: UploadLimits) {
  try {
    return new Busboy({
      headers: { "content-type": exchange.header("content-type") ?? "" },
      limits: { parts: limits.uploadParts, headerSize: limits.partHeaderSize },
      isPartAFile: (field, _type, name) => field === "file" || name !== undefined,
    });
  } catch {
    throw missing();
  }
}

/**
 * The file of a form, as soon as its part begins.
 *
 * The parser never ends the stream of a part when the form breaks off: the error that ends the form early is thrown
 * into it.
 */
export async function readForm(exchange: Exchange, limits: UploadLimits): Promise<Upload> {
  const parser = createParser(exchange, limits);
  const stop = new AbortController();
  const begun = Promise.withResolvers<IncomingFile>();
  const parts: Readable[] = [];
  const chunks = chunksOf(exchange.body.open(), limits.fileSize + formOverhead, limits);
  const refuse = (error: TelexError): void => stop.abort(error);
  // The parser may finish before its body is over, if a form ends within the headers of a part: a pipeline never sees that.
  // It also finishes when it fails; the error comes within the same tick.
  const finished = new Promise<void>((resolve) => parser.once("finish", () => setImmediate(resolve)));
  const read = pipeline(chunks, parser, { signal: stop.signal });
  const form = Promise.race([finished, read]).catch((cause: unknown) => {
    const error = brokenOff(stop.signal.aborted ? stop.signal.reason : cause);
    for (const part of parts) part.destroy(error);
    throw error;
  });
  parser.on("partsLimit", () => {
    const params = { max: limits.uploadParts };
    refuse(new TelexError("invalid_request", { reason: "body_too_many_parts", params }));
  });
  parser.on("file", (field, part, name, _encoding, mime) => {
    part.on("error", () => {});
    if (field !== "file") return part.resume();
    if (parts.push(part) > 1)
      return refuse(new TelexError("invalid_request", { issues: [{ path: "file", problem: "repeated", params: {} }] }));
    begun.resolve({ name: name || unnamed, mime, bytes: partBytes(part, form, limits.fileSize) });
  });
  form.then(() => begun.reject(missing()), begun.reject);
  return { file: await begun.promise, close: () => refuse(brokenOff(undefined)) };
}
