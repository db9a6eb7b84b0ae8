import type {
  BucketStore,
  CodeRecord,
  FileExpiry,
  FilePut,
  FilePutResult,
  UploadedFile,
  UploadTaken,
} from "@telex/core/storage";
import type { Files, KeptFile } from "./files.ts";
import type { Verb } from "../engine/gate.ts";
import type { Kept, Tables } from "../engine/tables.ts";
import { createUploadShares, type UploadShares } from "./upload-shares.ts";

function isExpired({ record, unusedUntil }: KeptFile, { now, imagesBefore }: FileExpiry): boolean {
  if (record.usedAt === null) return unusedUntil < now;
  return record.ext !== "" && record.usedAt < imagesBefore && unusedUntil <= now;
}

type Order = Pick<UploadedFile, "uploadedAt" | "md5">;

const newestFirst = (a: Order, b: Order): number =>
  b.uploadedAt - a.uploadedAt || Number(a.md5 < b.md5) - Number(a.md5 > b.md5);

function refuseCode(code: CodeRecord | undefined, { code: spent, now }: FilePut): FilePutResult | null {
  if (spent === null) return null;
  if (code === undefined || code.storageId !== spent.storageId) return { outcome: "code_missing" };
  if (code.used) return { outcome: "code_used" };
  return code.expiresAt <= now ? { outcome: "code_expired" } : null;
}

/** The upload of a file by a user, as a list that is empty without an upload. */
function uploadOf(file: KeptFile | null, userId: number): UploadedFile[] {
  const upload = file?.uploads.get(userId);
  if (file === null || upload === undefined) return [];
  const { createdAt: uploadedAt, name, kind } = upload;
  return [{ ...file.record, name, kind, uploadedAt }];
}

function takeUpload(files: Files, { userId, md5 }: Parameters<BucketStore["takeUpload"]>[0]): UploadTaken {
  const file = files.find(md5);
  if (file?.uploads.delete(userId) !== true) return { outcome: "missing" };
  if (file.uploads.size > 0 || file.record.usedAt !== null) return { outcome: "kept" };
  return { outcome: "dropped", file: files.drop(file) };
}

type FileVerbs = Omit<
  BucketStore,
  "issueCode" | "findCode" | "putFile" | "reserveUpload" | "releaseUpload" | "takeExpiredCodes"
>;

const fileVerbs = (verb: Verb, files: Files): FileVerbs => ({
  findFile: verb((md5) => files.find(md5)?.record ?? null),
  listFiles: verb(({ after, limit }) =>
    files
      .all()
      .map(({ record }) => record)
      .filter(({ md5 }) => md5 > after)
      .toSorted((a, b) => (a.md5 < b.md5 ? -1 : 1))
      .slice(0, limit),
  ),
  findUploads: verb((userId, md5s) => Array.from(new Set(md5s), files.find).flatMap((file) => uploadOf(file, userId))),
  listUploads: verb(({ userId, after, limit }) =>
    files
      .all()
      .flatMap((file) => uploadOf(file, userId))
      .toSorted(newestFirst)
      .filter((record) => after === null || newestFirst(after, record) < 0)
      .slice(0, limit),
  ),
  takeUpload: verb((upload) => takeUpload(files, upload)),
  holdUpload: verb(({ userId, md5, until }) => {
    const file = files.find(md5);
    if (file?.uploads.has(userId) !== true) return false;
    file.unusedUntil = Math.max(file.unusedUntil, until);
    return true;
  }),
  putAttachment: verb((attachment) => {
    const isThere = files.find(attachment.md5) !== null;
    if (isThere) files.attach(attachment);
    return isThere;
  }),
  findAttachment: verb(files.findAttachment),
  takeExpiredFiles: verb((expiry) =>
    files
      .all()
      .filter((file) => isExpired(file, expiry))
      .slice(0, expiry.limit)
      .map(files.drop),
  ),
  takeFile: verb((md5) => {
    const stored = files.find(md5);
    return stored === null ? null : files.drop(stored);
  }),
  keepFile: verb((md5) => {
    files.keepForever(md5);
    return files.find(md5) !== null;
  }),
  findBlobs: verb((blobIds) => new Set(blobIds.filter(files.hasBlob))),
});

type Codes = Map<string, CodeRecord>;

/** The tables that storing a file changes. */
interface Bucket {
  readonly files: Files;
  readonly codes: Codes;
  readonly shares: UploadShares;
}

function putFile({ files, codes, shares }: Bucket, put: FilePut): FilePutResult {
  const code = put.code === null ? undefined : codes.get(put.code.digest);
  const refused = refuseCode(code, put);
  if (refused !== null) return refused;
  const existing = files.find(put.file.md5);
  if (existing !== null && existing.record.sha256 !== put.file.sha256) return { outcome: "conflict" };
  const stored = existing ?? files.keep(put);
  stored.unusedUntil = Math.max(stored.unusedUntil, put.unusedUntil);
  const { uploader, name, kind, now } = put;
  const { createdAt } = stored.uploads.get(uploader ?? 0) ?? { createdAt: now };
  stored.uploads.set(uploader ?? 0, { name, kind, createdAt });
  if (put.reserved !== null) shares.release({ ...put.reserved, bytes: put.reserved.bytes - put.file.size });
  if (code !== undefined) codes.set(code.digest, { ...code, used: true });
  return { outcome: existing === null ? "stored" : "known", file: stored.record };
}

const uploadVerbs = (verb: Verb, bucket: Bucket): Omit<BucketStore, keyof FileVerbs> => ({
  issueCode: verb((code) => {
    bucket.codes.set(code.digest, { ...code, used: false });
  }),
  findCode: verb((digest) => bucket.codes.get(digest) ?? null),
  putFile: verb((put) => putFile(bucket, put)),
  reserveUpload: verb(bucket.shares.reserve),
  releaseUpload: verb(bucket.shares.release),
  takeExpiredCodes: verb((now) => dropExpired(bucket.codes, now)),
});

/** The kinds of records of files. */
type FileKind = "files" | "uploads" | "attachments" | "fileUses";

/** Files and upload codes in memory. */
export function createBucketStore(verb: Verb, files: Files): Kept<BucketStore, "codes" | "uploadShares" | FileKind> {
  const bucket: Bucket = { files, codes: new Map(), shares: createUploadShares() };
  return {
    store: { ...fileVerbs(verb, files), ...uploadVerbs(verb, bucket) },
    tables: { codes: tableOfCodes(bucket.codes), uploadShares: bucket.shares.table, ...tablesOf(files) },
  };
}

const tableOfCodes = (codes: Codes): Tables["codes"] => ({
  all: () => codes.values(),
  put: (code) => void codes.set(code.digest, { ...code }),
});

function dropExpired(codes: Codes, now: number): number {
  const expired = Array.from(codes.values()).filter(({ expiresAt }) => expiresAt < now);
  for (const { digest } of expired) codes.delete(digest);
  return expired.length;
}

const tablesOf = (files: Files): Tables<FileKind> => ({
  files: {
    all: () => files.all().map(({ record, unusedUntil }) => ({ ...record, unusedUntil })),
    put: ({ unusedUntil, ...record }) => files.put(record, unusedUntil),
  },
  uploads: {
    all: () =>
      files
        .all()
        .flatMap(({ record: { md5 }, uploads }) =>
          Array.from(uploads, ([userId, upload]) => ({ md5, userId, ...upload })),
        ),
    put: ({ md5, userId, ...upload }) => void files.find(md5)?.uploads.set(userId, upload),
  },
  attachments: { all: files.attachments, put: files.attach },
  fileUses: {
    all: () =>
      files
        .all()
        .flatMap(({ record: { md5 }, uses }) => Array.from(uses.values(), (position) => ({ md5, ...position }))),
    put: ({ md5, ...position }) => files.putUse(md5, position),
  },
});
