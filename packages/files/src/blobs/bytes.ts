import { z } from "zod";

/** Chunks of bytes that are read once. */
export type ByteStream = AsyncIterable<Uint8Array>;

/** An incoming file. */
export interface IncomingFile {
  /** The client's name for it: data, never part of a path. It may be known only when the first bytes have arrived. */
  readonly name: string;
  /** The client's content type: not trusted; images are recognised by their content. Known when `name` is. */
  readonly mime: string;
  /** Telex reads no part of an upload before it reads these bytes. */
  readonly bytes: ByteStream;
}

/** A range of bytes, the last one included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An outgoing file. */
export interface OutgoingFile {
  readonly name: string;
  readonly mime: string;
  /** Bytes. */
  readonly size: number;
  /** A strong tag of the content, without quotes. */
  readonly etag: string;
  /** True for an image that a browser may show; everything else is an attachment. */
  readonly inline: boolean;
  /** The bytes, or a range of them. Rejects with `file_not_found` if a sweep came first. */
  readonly open: (range?: ByteRange) => Promise<ByteStream>;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const binary = { type: "string", format: "binary" } as const;

/** An incoming file, as a field. */
export const incomingFile = z
  .custom<IncomingFile>((value) => isObject(value) && "bytes" in value && "name" in value && "mime" in value)
  .meta(binary);

/** An outgoing file, as a field. */
export const outgoingFile = z.custom<OutgoingFile>((value) => isObject(value) && "open" in value).meta(binary);
