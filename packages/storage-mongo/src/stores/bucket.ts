import type { BucketStore, FileExpiry, FilePut, FilePutResult, FileRecord } from "@telex/core/storage";
import type { StoreDeps } from "./deps.ts";
import { collectionOf, plain, recordOrNull } from "../driver/collections.ts";
import type { Documents } from "../driver/documents.ts";
import { dropFile, fileOf, putUsed } from "./files.ts";
import type { Tx } from "../driver/transaction.ts";
import { createShareVerbs, releaseShare, shareRoot } from "./upload-shares.ts";
import { uploadVerbs } from "./uploads.ts";

function refuseCode(code: Documents["codes"] | null, { code: spent, now }: FilePut): FilePutResult | null {
  if (spent === null) return null;
  if (code === null || code.storageId !== spent.storageId) return { outcome: "code_missing" };
  if (code.used) return { outcome: "code_used" };
  return code.expiresAt <= now ? { outcome: "code_expired" } : null;
}

/** The documents around an upload. */
interface Around {
  readonly code: Documents["codes"] | null;
  /** Of the file, in Unix milliseconds. */
  readonly createdAt: number;
}

/** Stores what an accepted file brings with it. */
async function putAround(tx: Tx, put: FilePut, { code, createdAt }: Around): Promise<void> {
  const { file, uploader, reserved } = put;
  if (uploader !== null) tx.put("uploads", { ...plain("uploads", { md5: file.md5, userId: uploader }), createdAt });
  if (reserved !== null) await releaseShare(tx, { ...reserved, bytes: reserved.bytes - file.size });
  if (code !== null) tx.put("codes", { ...code, used: true });
}

async function putFile(tx: Tx, put: FilePut): Promise<FilePutResult> {
  const code = put.code === null ? null : await tx.find("codes", put.code.digest);
  const refused = refuseCode(code, put);
  if (refused !== null) return refused;
  const existing = await tx.find("files", put.file.md5);
  if (existing !== null && existing.sha256 !== put.file.sha256) return { outcome: "conflict" };
  const { unusedUntil, now } = put;
  const stored = existing ?? plain("files", { ...put.file, createdAt: now, usedAt: null, unusedUntil });
  const document = { ...stored, unusedUntil: Math.max(stored.unusedUntil, unusedUntil) };
  putUsed(tx, document);
  await putAround(tx, put, { code, createdAt: document.createdAt });
  return { outcome: existing === null ? "stored" : "known", file: fileOf(document) };
}

async function takeExpired(tx: Tx, { now, imagesBefore, limit }: FileExpiry): Promise<FileRecord[]> {
  const unused = await tx.list("files", { usedAt: null, unusedUntil: { $lt: now } }, { limit });
  const old = { usedAt: { $gte: 0, $lt: imagesBefore }, ext: { $ne: "" } };
  const images = unused.length < limit ? await tx.list("files", old, { limit: limit - unused.length }) : [];
  const taken: FileRecord[] = [];
  for (const file of [...unused, ...images]) taken.push(await dropFile(tx, file));
  return taken;
}

async function putAttachment(tx: Tx, attachment: Documents["attachments"]): Promise<boolean> {
  const file = await tx.find("files", attachment.md5);
  if (file === null) return false;
  putUsed(tx, file);
  tx.put("attachments", attachment);
  return true;
}

const rootOf = (md5: string): string => `file ${md5}`;

/** All that the upload of a file writes and other uploads write, too. */
const rootsOf = ({ file, code, reserved }: FilePut): string[] => [
  ...(code === null ? [] : [`upload code ${code.digest}`]),
  rootOf(file.md5),
  ...(reserved === null ? [] : [shareRoot(reserved.uploader)]),
];

type WriteVerbs = Pick<
  BucketStore,
  "issueCode" | "putFile" | "putAttachment" | "takeExpiredFiles" | "takeFile" | "keepFile"
>;

const writeVerbs = ({ batches: { write } }: StoreDeps): WriteVerbs => ({
  issueCode: ({ ...code }) => write("codes", async (tx) => tx.put("codes", plain("codes", { ...code, used: false }))),
  putFile(put) {
    const own = structuredClone(put);
    return write(rootsOf(own), (tx) => putFile(tx, own));
  },
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
