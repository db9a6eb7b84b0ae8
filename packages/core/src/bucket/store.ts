/** A stored file. Its bytes lie in the blob store under `blobId`. */
export interface FileRecord {
  /** 32 lower-case hexadecimal digits: its address (interface 2.8). */
  readonly md5: string;
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  readonly mime: string;
  /** The ending under `/download/`, without a dot; `""` for what is no image. */
  readonly ext: string;
  readonly blobId: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** Unix milliseconds of the last message that used it; null while none did; the greatest safe integer when it is kept. */
  readonly usedAt: number | null;
}

/** An issued upload code. Only a digest of the code is kept. */
export interface CodeRecord {
  readonly digest: string;
  readonly storageId: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
  readonly used: boolean;
}

/** A file that a message carries as an attachment: found by a path that nobody can guess. */
export interface AttachmentRecord {
  readonly relativePath: string;
  readonly md5: string;
  readonly name: string;
}

/** Bytes of uploads that count against a share until a time. */
export interface UploadShare {
  /** The user whose share it is; 0 for the share that all uploads without a user have together. */
  readonly uploader: number;
  /** Unix milliseconds: from then on the bytes no longer count. */
  readonly until: number;
  /** 0 and above. */
  readonly bytes: number;
}

/** What {@link BucketStore.reserveUpload} did. `freeAt`: Unix milliseconds at which the first bytes stop counting. */
export type UploadReservation =
  | { readonly outcome: "reserved" }
  | { readonly outcome: "used_up"; readonly freeAt: number };

/** What {@link BucketStore.putFile} stores. */
export interface FilePut {
  readonly file: Omit<FileRecord, "createdAt" | "usedAt">;
  /** Unix milliseconds. */
  readonly now: number;
  /** Unix milliseconds: the file is kept until then if no message uses it. */
  readonly unusedUntil: number;
  /** Who may use the file in a message; null for an upload by code. */
  readonly uploader: number | null;
  /** Spent together with the storing. */
  readonly code: { readonly digest: string; readonly storageId: string } | null;
  /** Reserved for this upload: what is more than the size of the file is released together with the storing. */
  readonly reserved: UploadShare | null;
}

/** What {@link BucketStore.putFile} did. `known`: these bytes were there already; the blob that was put is not used. */
export type FilePutResult =
  | { readonly outcome: "stored" | "known"; readonly file: FileRecord }
  | { readonly outcome: "conflict" }
  | { readonly outcome: "code_missing" | "code_used" | "code_expired" };

/** What a sweep may take away. */
export interface FileExpiry {
  /** Unix milliseconds: files that no message used and that were kept until a time before this one. */
  readonly now: number;
  /** Unix milliseconds: images that were used last before. */
  readonly imagesBefore: number;
  /** At most this many at once. */
  readonly limit: number;
}

/**
 * Records of files and upload codes. Every verb is atomic among all callers of all processes; a promise resolves when its
 * change is durable.
 */
export interface BucketStore {
  /** Keeps a new upload code. */
  issueCode(code: Omit<CodeRecord, "used">): Promise<void>;

  /** The code with this digest, or null. */
  findCode(digest: string): Promise<CodeRecord | null>;

  /**
   * Keeps a file, lets `uploader` use it, consumes `code`, and releases the rest of `reserved`, all or nothing. A file with the same MD5 and SHA-256 is
   * `known` and keeps its first record, `createdAt` included; with another SHA-256 it is a `conflict`. Of all the times until
   * which the same file was to be kept unused, the latest counts. Of N uploads with one code exactly one MUST succeed.
   */
  putFile(put: FilePut): Promise<FilePutResult>;

  /**
   * Counts bytes against a share, if they and the bytes that count already at `now` (Unix milliseconds) are at most `max`;
   * else changes nothing. Of N callers for the last bytes only as many as fit MUST succeed.
   */
  reserveUpload(share: UploadShare, limit: { readonly max: number; readonly now: number }): Promise<UploadReservation>;

  /**
   * Takes back bytes that {@link BucketStore.reserveUpload} counted with the same `uploader` and `until` and that were not
   * stored. More bytes than are counted there take back what there is.
   */
  releaseUpload(share: UploadShare): Promise<void>;

  /** The file with this MD5, or null. */
  findFile(md5: string): Promise<FileRecord | null>;

  /** Those of the files that the user has uploaded and that still exist. */
  findUploads(userId: number, md5s: readonly string[]): Promise<readonly FileRecord[]>;

  /**
   * Keeps an attachment before the message that will carry it. False if its file does not exist. A message that is stored with
   * the same attachment changes nothing of it; without such a message it goes with its file.
   */
  putAttachment(attachment: AttachmentRecord): Promise<boolean>;

  /** The attachment at this path, or null. */
  findAttachment(relativePath: string): Promise<AttachmentRecord | null>;

  /**
   * Takes away records of files past their time, with their uploads and attachments, and answers them: their blobs are
   * nobody's from then on. Images are the files with an `ext`; an attachment that is used has no expiry.
   */
  takeExpiredFiles(expiry: FileExpiry): Promise<readonly FileRecord[]>;

  /** Takes away one file with its uploads and attachments, used or not, and answers it; null when there is none. */
  takeFile(md5: string): Promise<FileRecord | null>;

  /** From now on the file has no expiry: something uses it that lasts, such as an avatar. False when there is none. */
  keepFile(md5: string): Promise<boolean>;

  /** Takes away codes that expired before `now` (Unix milliseconds), and answers how many. */
  takeExpiredCodes(now: number): Promise<number>;

  /** Those of the blobs that a file names: the rest are orphans. */
  findBlobs(blobIds: readonly string[]): Promise<ReadonlySet<string>>;
}
