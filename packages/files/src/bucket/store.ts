import type { FileRecord, CodeRecord, AttachmentRecord, UploadedFile, UploadShare } from "../records.ts";

/** The result of {@link BucketStore.reserveUpload}. `freeAt`: Unix milliseconds at which the first bytes stop counting. */
export type UploadReservation =
  | { readonly outcome: "reserved" }
  | { readonly outcome: "used_up"; readonly freeAt: number };

/** A file for {@link BucketStore.putFile}. */
export interface FilePut {
  readonly file: Omit<FileRecord, "createdAt" | "usedAt">;
  /** Unix milliseconds. */
  readonly now: number;
  /** Unix milliseconds: until then, the file is kept even if no message uses it. */
  readonly unusedUntil: number;
  /** The user who may send the file in a message; null for an upload without a user. */
  readonly uploader: number | null;
  /** The name and the kind under which the upload is kept. */
  readonly name: string;
  readonly kind: string;
  /** Consumed in the same step. */
  readonly code: { readonly digest: string; readonly storageId: string } | null;
  /** Reserved for this upload. The part above the size of the file is released in the same step. */
  readonly reserved: UploadShare | null;
}

/** The result of {@link BucketStore.putFile}. `known`: these bytes were already stored; the new blob is not used. */
export type FilePutResult =
  | { readonly outcome: "stored" | "known"; readonly file: FileRecord }
  | { readonly outcome: "conflict" }
  | { readonly outcome: "code_missing" | "code_used" | "code_expired" };

/** A page for {@link BucketStore.listUploads}. */
export interface UploadsPage {
  readonly userId: number;
  /** Only files after this one in the order of the list; null from the beginning. */
  readonly after: Pick<UploadedFile, "uploadedAt" | "md5"> | null;
  /** At most this many. */
  readonly limit: number;
}

/** The result of {@link BucketStore.takeUpload}. `kept`: others use the file. `dropped`: no record refers to its blob any more. */
export type UploadTaken =
  | { readonly outcome: "missing" }
  | { readonly outcome: "kept" }
  | { readonly outcome: "dropped"; readonly file: FileRecord };

/** The files that a sweep may remove. */
export interface FileExpiry {
  /** Unix milliseconds: files that no message used and that had to be kept only until an earlier time. */
  readonly now: number;
  /** Unix milliseconds: images that were last used before, and that had to be kept at most until `now`. */
  readonly imagesBefore: number;
  /** At most this many in one call. */
  readonly limit: number;
}

/**
 * Records of files and upload codes. Every verb is atomic among all callers of all processes; a promise resolves when its
 * change is durable.
 */
export interface BucketStore {
  /** Stores a new upload code. */
  issueCode(code: Omit<CodeRecord, "used">): Promise<void>;

  /** The code with this digest, or null. */
  findCode(digest: string): Promise<CodeRecord | null>;

  /**
   * Stores a file, lets `uploader` use it (the user's first time and last name count), consumes `code`, and releases the rest of `reserved`, all
   * or nothing. A file with the same MD5 and SHA-256 is `known` and keeps its first record, including `createdAt`; with another SHA-256 it is a
   * `conflict`. Of all `unusedUntil` of the same file, the latest counts. Of N uploads with one code, exactly one MUST succeed.
   */
  putFile(put: FilePut): Promise<FilePutResult>;

  /**
   * Counts bytes towards a share, if they and the bytes that already count at `now` (Unix milliseconds) are at most `max`;
   * otherwise changes nothing. If N callers want the last bytes, only as many as fit MUST succeed.
   */
  reserveUpload(share: UploadShare, limit: { readonly max: number; readonly now: number }): Promise<UploadReservation>;

  /**
   * Releases bytes that {@link BucketStore.reserveUpload} counted with the same `uploader` and `until` and that were not
   * stored. If more bytes are given than are counted, all of them are released.
   */
  releaseUpload(share: UploadShare): Promise<void>;

  /** The file with this MD5, or null. */
  findFile(md5: string): Promise<FileRecord | null>;

  /** Files with an MD5 above `after` (`""`: all), by MD5, at most `limit`. */
  listFiles(page: { readonly after: string; readonly limit: number }): Promise<readonly FileRecord[]>;

  /** The files among these that the user has uploaded and that still exist. */
  findUploads(userId: number, md5s: readonly string[]): Promise<readonly UploadedFile[]>;

  /**
   * The files that the user has uploaded and that still exist, by `uploadedAt` and then by `md5`, both descending. The cost
   * depends on the files of this user.
   */
  listUploads(page: UploadsPage): Promise<readonly UploadedFile[]>;

  /**
   * Takes an upload away from its user; `missing` if there is no such upload. Removes the file in the same step, with its attachments, if
   * it has no other upload and no use. Of N callers, one takes the upload. If the same bytes are uploaded simultaneously, the file exists
   * afterwards.
   */
  takeUpload(upload: { readonly userId: number; readonly md5: string }): Promise<UploadTaken>;

  /** Keeps a file at least until a time (Unix milliseconds), used or not. False if the user has no such upload. */
  holdUpload(upload: { readonly userId: number; readonly md5: string; readonly until: number }): Promise<boolean>;

  /**
   * Keeps an attachment before the message that will carry it. False if its file does not exist. A message that is stored with
   * the same attachment does not change it. Without such a message, it is deleted with its file.
   */
  putAttachment(attachment: AttachmentRecord): Promise<boolean>;

  /** The attachment at this path, or null. */
  findAttachment(relativePath: string): Promise<AttachmentRecord | null>;

  /**
   * Removes records of expired files, with their uploads and attachments, and returns them. No record refers to their blobs
   * afterwards. Images are the files with an `ext`. An attachment that is used does not expire.
   */
  takeExpiredFiles(expiry: FileExpiry): Promise<readonly FileRecord[]>;

  /** Removes one file with its uploads and attachments, used or not, and returns it; null if there is none. */
  takeFile(md5: string): Promise<FileRecord | null>;

  /** Keeps a file for good, because it has a lasting use, such as an avatar. False if the file does not exist. */
  keepFile(md5: string): Promise<boolean>;

  /** Removes codes that expired before `now` (Unix milliseconds), and returns their number. */
  takeExpiredCodes(now: number): Promise<number>;

  /** The blobs among these that a file refers to. The others are orphans. */
  findBlobs(blobIds: readonly string[]): Promise<ReadonlySet<string>>;
}
