import type { Readable } from "node:stream";
import { TelexError } from "@telex/core";
import { parseJson } from "@telex/core/transport";
import type { Exchange } from "../exchange/exchange.ts";
import { tooLarge } from "./measure.ts";
import { announcedSize, brokenOff, mediaType, refuseCoding, staysOpen } from "../exchange/source.ts";
import { type BodyLimits, refuseDepth, type Sized, parsedSize } from "./depth.ts";

const jsonType = /^application\/([\w.-]+\+)?json$/;

function refuseOtherTypes(exchange: Exchange): void {
  const type = mediaType(exchange);
  if (type !== "" && !jsonType.test(type))
    throw new TelexError("unsupported_media", { params: { expected: "application/json" } });
}

/**
 * A complete short body. If it is refused, the stream stays open, so that the refusal can be answered.
 * @throws TelexError `too_large`, `timeout`, `invalid_request` if it broke off
 */
function collect(source: Readable, { bodySize, bodyTime }: BodyLimits): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isOver = false;
  const settle = (run: () => void): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    if (!staysOpen(source)) source.destroy();
    run();
  };
  const take = (chunk: Uint8Array | string): void => {
    // A host may have asked for text.
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    size += bytes.length;
    if (size > bodySize) settle(() => reject(tooLarge(bodySize)));
    if (!isOver) chunks.push(bytes);
  };
  const end = (): void => settle(() => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
  // These listeners stay, so that the rest of the body is read and ignored after a refusal.
  const fail = (cause?: unknown): void => settle(() => reject(brokenOff(cause)));
  const timer = setTimeout(() => settle(() => reject(new TelexError("timeout"))), bodyTime);
  source.on("data", take).once("end", end).on("error", fail).once("close", fail);
  if (source.destroyed) fail();
  return promise;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new TelexError("invalid_request", { reason: "body_not_utf8" });
  }
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new TelexError("invalid_request", { reason: "body_not_json" });
  }
}

/** A picture within JSON, as {@link measure} counts it, but not a key. */
const picture = /"data:image\/[a-z]+;base64,[A-Za-z0-9+/\\]{1024}[A-Za-z0-9+/\\]*={0,2}"(?!\s*:)/g;

function refuseBesidePictures(text: string, size: number, max: number): void {
  if (size <= max) return;
  const ofPictures = text.length - text.replace(picture, "").length;
  if (size - ofPictures > max) throw tooLarge(max);
}

/** The bytes of a body that no parser has read. Does not wait if they have already arrived. */
const readBytes = ({ body }: Exchange, limits: BodyLimits): Uint8Array | Promise<Uint8Array> =>
  body.takeArrived() ?? collect(body.open(), limits);

const refusingLarge =
  ({ bodySize }: BodyLimits, sized: Sized): Sized =>
  (size) => {
    if (size > bodySize) throw tooLarge(bodySize);
    sized(size);
  };

function refuseUnreadable(exchange: Exchange, { bodySize }: BodyLimits): void {
  refuseCoding(exchange);
  if (announcedSize(exchange) > bodySize) throw tooLarge(bodySize);
}

/** True for a body that {@link readText} reads. */
export function isText(exchange: Exchange): boolean {
  const type = mediaType(exchange);
  return type === "text/plain" || type === "application/x-www-form-urlencoded";
}

/**
 * The text of a body, as it was sent.
 * @throws TelexError `unsupported_media`, `too_large`, `timeout`, `invalid_request`
 */
export async function readText(exchange: Exchange, limits: BodyLimits, sized: Sized): Promise<string> {
  refuseUnreadable(exchange, limits);
  const accept = refusingLarge(limits, sized);
  const { parsed } = exchange.body;
  if (typeof parsed === "string") {
    accept(Buffer.byteLength(parsed));
    return parsed;
  }
  const bytes = parsed instanceof Uint8Array ? parsed : await readBytes(exchange, limits);
  accept(bytes.length);
  return decode(bytes);
}

/**
 * Passes on the value of a JSON body: in this tick if its bytes have arrived.
 * @param sized takes the size of the body before it is parsed
 * @throws TelexError `unsupported_media`, `too_large`, `timeout`, `invalid_request` (also as a rejection)
 */
export function readJson<T>(
  exchange: Exchange,
  limits: BodyLimits,
  sized: Sized,
  use: (value: unknown) => Promise<T>,
): Promise<T> {
  refuseOtherTypes(exchange);
  refuseUnreadable(exchange, limits);
  const { bodySize, besidePictures = bodySize, bodyDepth, check } = limits;
  const accept = refusingLarge(limits, sized);
  const { parsed } = exchange.body;
  const useValue = (value: unknown, size: number): Promise<T> => {
    check?.(value, size);
    return use(refuseDepth(value, bodyDepth));
  };
  if (typeof parsed === "object" && !(parsed instanceof Uint8Array)) {
    const size = parsedSize(exchange, limits);
    accept(size);
    return useValue(parsed, size);
  }
  const useText = (text: string, size: number): Promise<T> => {
    refuseBesidePictures(text, size, besidePictures);
    return useValue(parse(text), size);
  };
  const useBytes = (all: Uint8Array): Promise<T> => {
    accept(all.length);
    return useText(decode(all), all.length);
  };
  if (typeof parsed === "string") {
    const size = Buffer.byteLength(parsed);
    accept(size);
    return useText(parsed, size);
  }
  const bytes = parsed instanceof Uint8Array ? parsed : readBytes(exchange, limits);
  return bytes instanceof Promise ? bytes.then(useBytes) : useBytes(bytes);
}
