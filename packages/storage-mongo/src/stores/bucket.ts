import type { BucketStore, FileExpiry, FilePut, FilePutResult, FileRecord, UploadTaken } from "@telex/core/storage";
import type { StoreDeps } from "./deps.ts";
import { collectionOf, plain, recordOrNull } from "../driver/collections.ts";
import { type Documents, idFor } from "../driver/documents.ts";
import { dropFile, fileOf, putUsed, uploadsOf } from "./files.ts";
import type { Tx } from "../driver/transaction.ts";
import { createShareVerbs, releaseShare, shareRoot } from "./upload-shares.ts";
import { uploadVerbs } from "./uploads.ts";

function refuseCode(code: Documents["codes"] | null, { code: spent, now }: FilePut): FilePutResult | null {
  if (spent === null) return null;
  if (code === null || code.storageId !== spent.storageId) return { outcome: "code_missing" };
  if (code.used) return { outcome: "code_used" };
  return code.expiresAt <= now ? { outcome: "code_expired" } : null;
}

/** Stores an upload. The time of the first one stays. Uploads of early versions have none until the uploads are listed. */
async function putUpload(tx: Tx, { file: { md5 }, uploader, name, kind, now }: FilePut): Promise<void> {
  const userId = uploader ?? 0;
  const before = (await tx.find("uploads", idFor([md5, userId]))) ?? { createdAt: now };
  tx.put("uploads", { ...before, ...plain("uploads", { md5, userId, name, kind, createdAt: before.createdAt }) });
}

/** Stores the upload of an accepted file, and releases the rest of the reserved share. */
async function putAround(tx: Tx, put: FilePut): Promise<void> {
  const { file, reserved } = put;
  await putUpload(tx, put);
  if (reserved !== null) await releaseShare(tx, { ...reserved, bytes: reserved.bytes - file.size });
}

async function putFile(tx: Tx, put: FilePut): Promise<FilePutResult> {
  const code = put.code === null ? null : await tx.find("codes", put.code.digest);
  const refused = refuseCode(code, put);
  if (refused !== null) return refused;
  const existing = await tx.find("files", put.file.md5);
  if (existing !== null && existing.sha256 !== put.file.sha256) return { outcome: "conflict" };
  // Written first, so that a server that comes too late fails here.
  if (code !== null) tx.put("codes", { ...code, used: true });
  const { unusedUntil, now } = put;
  const stored = existing ?? plain("files", { ...put.file, createdAt: now, usedAt: null, unusedUntil });
  const document = { ...stored, unusedUntil: Math.max(stored.unusedUntil, unusedUntil) };
  putUsed(tx, document);
  await putAround(tx, put);
  return { outcome: existing === null ? "stored" : "known", file: fileOf(document) };
}

async function takeExpired(tx: Tx, { now, imagesBefore, limit }: FileExpiry): Promise<FileRecord[]> {
  const unused = await tx.list("files", { usedAt: null, unusedUntil: { $lt: now } }, { limit });
  const old = { usedAt: { $gte: 0, $lt: imagesBefore }, ext: { $ne: "" }, unusedUntil: { $lte: now } };
  const images = unused.length < limit ? await tx.list("files", old, { limit: limit - unused.length }) : [];
  const taken: FileRecord[] = [];
  for (const file of [...unused, ...images]) taken.push(await dropFile(tx, file));
  return taken;
}

async function takeUpload(tx: Tx, { userId, md5 }: Parameters<BucketStore["takeUpload"]>[0]): Promise<UploadTaken> {
  const id = idFor([md5, userId]);
  const [upload, file] = [await tx.find("uploads", id), await tx.find("files", md5)];
  if (upload === null || file === null) return { outcome: "missing" };
  tx.drop("uploads", id);
  const others = await tx.list("uploads", uploadsOf(md5), { limit: 1 });
  if (others.length === 0 && file.usedAt === null) return { outcome: "dropped", file: await dropFile(tx, file) };
  putUsed(tx, file);
  return { outcome: "kept" };
}

async function holdUpload(tx: Tx, { userId, md5, until }: Parameters<BucketStore["holdUpload"]>[0]): Promise<boolean> {
  const [upload, file] = [await tx.find("uploads", idFor([md5, userId])), await tx.find("files", md5)];
  if (upload === null || file === null) return false;
  putUsed(tx, { ...file, unusedUntil: Math.max(file.unusedUntil, until) });
  return true;
}

async function putAttachment(tx: Tx, attachment: Documents["attachments"]): Promise<boolean> {
  const file = await tx.find("files", attachment.md5);
  if (file === null) return false;
  putUsed(tx, file);
  tx.put("attachments", attachment);
  return true;
}

const rootOf = (md5: string): string => `file ${md5}`;

/** The roots that uploads of files share. */
const rootsOf = ({ file, code, reserved }: FilePut): string[] => [
  ...(code === null ? [] : [`upload code ${code.digest}`]),
  rootOf(file.md5),
  ...(reserved === null ? [] : [shareRoot(reserved.uploader)]),
];

type WriteVerbs = Pick<
  BucketStore,
  "issueCode" | "putFile" | "takeUpload" | "holdUpload" | "putAttachment" | "takeExpiredFiles" | "takeFile" | "keepFile"
>;

const writeVerbs = ({ batches: { write } }: StoreDeps): WriteVerbs => ({
  issueCode: ({ ...code }) => write("codes", async (tx) => tx.put("codes", plain("codes", { ...code, used: false }))),
  putFile(put) {
    const own = structuredClone(put);
    return write(rootsOf(own), (tx) => putFile(tx, own), { isWrittenOnce: own.code !== null });
  },
  takeUpload: ({ ...upload }) => write(rootOf(upload.md5), (tx) => takeUpload(tx, upload)),
  holdUpload: ({ ...upload }) => write(rootOf(upload.md5), (tx) => holdUpload(tx, upload)),
  putAttachment: ({ ...attachment }) =>
    write(rootOf(attachment.md5), (tx) => putAttachment(tx, plain("attachments", attachment))),
  takeExpiredFiles: ({ ...expiry }) => write("expired files", (tx) => takeExpired(tx, expiry)),
  takeFile: (md5) =>
    write(rootOf(md5), async (tx) => {
      const file = await tx.find("files", md5);
      return file === null ? null : dropFile(tx, file);
    }),
  keepFile: (md5) =>
    write(rootOf(md5), async (tx) => {
      const file = await tx.find("files", md5);
      if (file !== null) tx.put("files", { ...file, usedAt: Number.MAX_SAFE_INTEGER });
      return file !== null;
    }),
});

/** Records of files, and upload codes. */
export function createBucketStore(deps: StoreDeps): BucketStore {
  const { db, batches } = deps;
  const files = collectionOf(db, "files");
  const codes = collectionOf(db, "codes");
  const { single } = batches;
  return {
    ...writeVerbs(deps),
    ...uploadVerbs(deps),
    ...createShareVerbs(deps),
    findCode: (digest) => single(async () => recordOrNull("codes", await codes.findOne({ _id: digest }))),
    findFile: (md5) =>
      single(async () => {
        const file = await files.findOne({ _id: md5 });
        return file === null ? null : fileOf(file);
      }),
    listFiles: ({ after, limit }) =>
      single(async () =>
        (await files.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit }).toArray()).map(fileOf),
      ),
    findAttachment: (relativePath) =>
      single(async () =>
        recordOrNull("attachments", await collectionOf(db, "attachments").findOne({ _id: relativePath })),
      ),
    takeExpiredCodes: (now) => single(async () => (await codes.deleteMany({ expiresAt: { $lt: now } })).deletedCount),
    findBlobs: (blobIds) =>
      single(async () => {
        const matches = await files.find({ blobId: { $in: blobIds } }, { projection: { blobId: 1 } }).toArray();
        return new Set(matches.map(({ blobId }) => blobId));
      }),
  };
}
