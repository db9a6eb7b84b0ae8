import type { AttachmentRecord, FilePut, FileRecord } from "@telex/core/storage";

/** A file and what hangs on it. */
export interface KeptFile {
  record: FileRecord;
  /** Unix milliseconds until which the file is kept if no message uses it. */
  unusedUntil: number;
  readonly uploaders: Set<number>;
  readonly paths: Set<string>;
}

/** Files with their attachments and blobs: shared by uploads and messages, each within a step of its own. */
export interface Files {
  readonly find: (md5: string) => KeptFile | null;
  readonly all: () => KeptFile[];
  readonly hasBlob: (blobId: string) => boolean;
  readonly findAttachment: (relativePath: string) => AttachmentRecord | null;
  readonly keep: (put: FilePut) => KeptFile;
  /** Keeps a file as it was elsewhere, with what hangs on it here. */
  readonly put: (record: FileRecord, unusedUntil: number) => void;
  readonly attach: (attachment: AttachmentRecord) => void;
  readonly attachments: () => Iterable<AttachmentRecord>;
  /** Takes a file away with all that hangs on it. */
  readonly drop: (kept: KeptFile) => FileRecord;
  /** The first of the files that is not there, or null. */
  readonly findMissing: (md5s: readonly string[]) => string | null;
  /** Marks files as used at `now` (Unix milliseconds), and keeps attachments. */
  readonly use: (md5s: readonly string[], attachments: readonly AttachmentRecord[], now: number) => void;
}

function markUsed(kept: KeptFile, now: number): void {
  kept.record = { ...kept.record, usedAt: Math.max(kept.record.usedAt ?? now, now) };
}

/** No files. */
export function createFiles(): Files {
  const files = new Map<string, KeptFile>();
  const attachments = new Map<string, AttachmentRecord>();
  const blobs = new Set<string>();

  const start = (record: FileRecord, unusedUntil: number): KeptFile => {
    const kept = { record, unusedUntil, uploaders: new Set<number>(), paths: new Set<string>() };
    files.set(record.md5, kept);
    blobs.add(record.blobId);
    return kept;
  };
  const attach = (attachment: AttachmentRecord): void => {
    attachments.set(attachment.relativePath, { ...attachment });
    files.get(attachment.md5)?.paths.add(attachment.relativePath);
  };

  return {
    find: (md5) => files.get(md5) ?? null,
    all: () => [...files.values()],
    hasBlob: (blobId) => blobs.has(blobId),
    findAttachment: (relativePath) => attachments.get(relativePath) ?? null,
    keep: ({ file, now, unusedUntil }) => start({ ...file, createdAt: now, usedAt: null }, unusedUntil),
    put(record, unusedUntil) {
      const kept = files.get(record.md5);
      if (kept === undefined) start(record, unusedUntil);
      else Object.assign(kept, { record, unusedUntil });
    },
    attach,
    attachments: () => attachments.values(),
    drop({ record, paths }) {
      files.delete(record.md5);
      blobs.delete(record.blobId);
      for (const path of paths) attachments.delete(path);
      return record;
    },
    findMissing: (md5s) => md5s.find((md5) => !files.has(md5)) ?? null,
    use(md5s, added, now) {
      for (const md5 of md5s) {
        const kept = files.get(md5);
        if (kept !== undefined) markUsed(kept, now);
      }
      for (const attachment of added) attach(attachment);
    },
  };
}
