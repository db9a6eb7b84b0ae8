import type { ByteRange, ByteStream } from "./bytes.ts";

/** A blob at rest. */
export interface BlobEntry {
  readonly blobId: string;
  /** Bytes. */
  readonly size: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/**
 * Bytes under names that core chooses: 32 hexadecimal digits, with an optional suffix of a dot and letters or digits.
 * An implementation refuses any other name with TypeError.
 */
export interface BlobStore {
  /**
   * Stores a stream under a new name. Resolves when the bytes and their name are durable. No reader ever sees a part of a
   * blob: until then, and if the stream fails, the blob does not exist. Rejects with the error of the stream, with TelexError
   * `storage_full` if the space is gone or too little of it would be left, and with `storage_unavailable` if the disk fails. Memory use MUST NOT
   * grow with the size.
   */
  put(blobId: string, bytes: ByteStream): Promise<void>;

  /**
   * The bytes or a range of them, or null if there is no such blob. A reader that stops early frees what it holds. A stream whose bytes
   * are lost although the blob exists throws `DamagedBlobError`.
   */
  open(blobId: string, range?: ByteRange): Promise<ByteStream | null>;

  /** Removes a blob. Does nothing if it does not exist. */
  delete(blobId: string): Promise<void>;

  /** Every blob, in any order. Blobs that come or go while the list is read may or may not appear. */
  list(): AsyncIterable<BlobEntry>;

  /** Removes the remains of puts that broke off before `before` (Unix milliseconds). Returns their number. */
  sweepPartial(before: number): Promise<number>;

  /** Rejects when nothing can be written now. Space that is kept free for records does not count: used by `/readyz`. */
  probe(): Promise<void>;
}
