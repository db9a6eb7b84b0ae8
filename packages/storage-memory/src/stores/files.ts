import type { AttachmentRecord, FilePut, FileRecord, Records } from "@telex/core/storage";

/** An upload of a file, by its user. */
type Upload = Omit<Records["uploads"], "md5" | "userId">;

/** A file with its uploads, attachments and uses. */
export interface KeptFile {
  record: FileRecord;
  /** Unix milliseconds until which the file is kept if no message uses it. */
  unusedUntil: number;
  readonly uploads: Map<number, Upload>;
  readonly paths: Set<string>;
  /** The messages that use it. An `unknownPosition` use stands for messages of earlier versions, whose position is not known. */
  readonly uses: Map<string, Position>;
}

/** The position of a message. */
export interface Position {
  readonly groupId: number;
  readonly seq: number;
}

const unknownPosition: Position = { groupId: 0, seq: 0 };

const keyOf = ({ groupId, seq }: Position): string => `${groupId}/${seq}`;

/** Files with their attachments and blobs. Steps of uploads and of messages share them. */
export interface Files {
  readonly find: (md5: string) => KeptFile | null;
  readonly all: () => KeptFile[];
  readonly hasBlob: (blobId: string) => boolean;
  readonly findAttachment: (relativePath: string) => AttachmentRecord | null;
  readonly keep: (put: FilePut) => KeptFile;
  /** Stores an imported file unchanged. Its uploads, attachments and uses stay. */
  readonly put: (record: FileRecord, unusedUntil: number) => void;
  readonly attach: (attachment: AttachmentRecord) => void;
  readonly attachments: () => Iterable<AttachmentRecord>;
  /** Removes a file with its uploads, attachments and uses. */
  readonly drop: (kept: KeptFile) => FileRecord;
  /** The first of the files that does not exist, or null. */
  readonly findMissing: (md5s: readonly string[]) => string | null;
  /** Keeps a file permanently. */
  readonly keepForever: (md5: string) => void;
  /** Marks files as used at `now` (Unix milliseconds) by a message, and stores its attachments. */
  readonly use: (
    used: { readonly md5s: readonly string[]; readonly attachments: readonly AttachmentRecord[]; readonly now: number },
    by: Position,
  ) => void;
  /** Notes that the message at this position uses a file. */
  readonly putUse: (md5: string, by: Position) => void;
  /** Ends the uses of files by the message at this position, and removes its attachments. */
  readonly release: (by: Position, paths: readonly string[]) => void;
}

function markUsed(file: KeptFile, now: number): void {
  file.record = { ...file.record, usedAt: Math.max(file.record.usedAt ?? now, now) };
}

function addUse({ uses }: KeptFile, by: Position): void {
  uses.set(keyOf(by), { ...by });
}

/** Removes a use. After the last one, the file counts as never used, unless it is kept. */
function dropUse(file: KeptFile, by: Position): void {
  if (!file.uses.delete(keyOf(by)) || file.uses.size > 0) return;
  if (file.record.usedAt !== Number.MAX_SAFE_INTEGER) file.record = { ...file.record, usedAt: null };
}

/** Adds a use. A file that was in use before uses were recorded never becomes free. */
function useFile(file: KeptFile, by: Position, now: number): void {
  if (file.record.usedAt !== null && file.uses.size === 0) addUse(file, unknownPosition);
  markUsed(file, now);
  addUse(file, by);
}

const keptFile = (record: FileRecord, unusedUntil: number): KeptFile => ({
  record,
  unusedUntil,
  uploads: new Map(),
  paths: new Set(),
  uses: new Map(),
});

export function createFiles(): Files {
  const files = new Map<string, KeptFile>();
  const attachments = new Map<string, AttachmentRecord>();
  const blobs = new Set<string>();

  const start = (record: FileRecord, unusedUntil: number): KeptFile => {
    const stored = keptFile(record, unusedUntil);
    files.set(record.md5, stored);
    blobs.add(record.blobId);
    return stored;
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
      const stored = files.get(record.md5);
      if (stored === undefined) start(record, unusedUntil);
      else Object.assign(stored, { record, unusedUntil });
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
    keepForever(md5) {
      const stored = files.get(md5);
      if (stored !== undefined) markUsed(stored, Number.MAX_SAFE_INTEGER);
    },
    use({ md5s, attachments: added, now }, by) {
      for (const md5 of md5s) {
        const stored = files.get(md5);
        if (stored !== undefined) useFile(stored, by, now);
      }
      for (const attachment of added) attach(attachment);
    },
    putUse(md5, by) {
      const stored = files.get(md5);
      if (stored !== undefined) addUse(stored, by);
    },
    release(by, paths) {
      for (const path of paths) {
        files.get(attachments.get(path)?.md5 ?? "")?.paths.delete(path);
        attachments.delete(path);
      }
      for (const stored of files.values()) dropUse(stored, by);
    },
  };
}
