import type { UnstorageLike } from "./unstorage-like.ts";

/** Prefix of heads. A head marks its blob as complete: its parts are stored before the head and removed after it. */
export const heads = "heads";

export const headOf = (blobId: string): string => `${heads}:${blobId}`;

export interface Head {
  /** The name of the parts: the time at which the upload began, and random characters. */
  readonly upload: string;
  /** Bytes. */
  readonly size: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** The last bytes of a head. They are missing if a driver wrote only a part of it. */
const headEnd = "whole";

export const packHead = ({ upload, size, createdAt }: Head): Uint8Array =>
  new TextEncoder().encode([upload, size, createdAt, headEnd].join(" "));

/** Parses a head. Null if an aborted write left the bytes. */
export function unpackHead(bytes: Uint8Array | null): Head | null {
  const [upload = "", size = "", createdAt = "", end] = new TextDecoder().decode(bytes ?? new Uint8Array()).split(" ");
  return end === headEnd ? { upload, size: Number(size), createdAt: Number(createdAt) } : null;
}

/** The bytes under a key, or null. */
export async function read(storage: UnstorageLike, key: string): Promise<Uint8Array | null> {
  const value = await storage.getItemRaw(key);
  if (value === null || value === undefined) return null;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (value instanceof Uint8Array) return value;
  throw new TypeError("This unstorage driver does not return bytes as bytes. Use one that does.");
}

export const readHead = async (storage: UnstorageLike, blobId: string): Promise<Head | null> =>
  unpackHead(await read(storage, headOf(blobId)));
