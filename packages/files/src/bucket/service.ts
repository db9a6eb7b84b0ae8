import { randomBytes } from "node:crypto";
import type { z } from "zod";
import type { Implementation } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import type { Logger } from "@telex/ground/log";
import { digestOf } from "@telex/ground/security";
import type { Clock } from "@telex/ground/time";
import type { BucketLimits } from "./limits.ts";
import type { BlobStore } from "../blobs/blobs.ts";
import type { BucketContract, StoredFileView } from "./contract.ts";
import type { ByteRange, ByteStream, IncomingFile, OutgoingFile } from "../blobs/bytes.ts";
import { takeIn } from "./intake.ts";
import { type FileLinksDeps, listLinks, openLink, revokeLink, revokeLinksTo, shareFile } from "./links.ts";
import { imageName, parseImageName, placeOf, quarantineBlobId, secretOf, uploadName } from "../blobs/names.ts";
import { type FindSpelled, nameOf } from "./name-search.ts";
import { countOwn, deleteOwn, findOwn, listOwn } from "./own-files.ts";
import type { BucketStore, FilePut, FilePutResult } from "./store.ts";
import type { FileRecord } from "../records.ts";
import { openShare } from "./shares.ts";
import { readBlob, type Thumbnails } from "./thumbnails.ts";

interface BucketDeps extends FileLinksDeps {
  readonly store: BucketStore;
  readonly blobs: BlobStore;
  readonly thumbnails: Thumbnails;
  readonly clock: Clock;
  readonly limits: BucketLimits;
  readonly log: Logger;
  readonly findSpelled: FindSpelled;
}

type StoringDeps = Omit<BucketDeps, "findSpelled" | "thumbnails" | "links" | "arePublic" | "isActive">;

type CodeKey = NonNullable<FilePut["code"]>;

const codeErrors = {
  code_missing: () => new TelexError("not_found", { reason: "code_unknown" }),
  code_used: () => new TelexError("code_used"),
  code_expired: () => new TelexError("code_expired"),
  conflict: () => new TelexError("file_conflict"),
} as const;

/** Checks a code before the body is read, so that a wrong code costs no upload. The store checks again when the code is consumed. */
async function assertCode({ store, clock }: BucketDeps, { digest, storageId }: CodeKey): Promise<void> {
  const code = await store.findCode(digest);
  if (code === null || code.storageId !== storageId) throw codeErrors.code_missing();
  if (code.used) throw codeErrors.code_used();
  if (code.expiresAt <= clock.now()) throw codeErrors.code_expired();
}

/** A blob that no record names is an orphan, which a sweep finds if this fails. */
async function dropBlob({ blobs, log }: StoringDeps, blobId: string): Promise<void> {
  await blobs.delete(blobId).catch((cause: unknown) => log.error("blob.delete_failed", { blobId }, cause));
}

async function keep(deps: StoringDeps, put: FilePut): Promise<FilePutResult> {
  const quarantined = await readBlob(deps.blobs, quarantineBlobId(put.file.md5), { start: 0, end: 0 });
  return quarantined === null ? deps.store.putFile(put) : { outcome: "conflict" };
}

/** The uploader, and the owner of the share: see `openShare`. */
type Owner = Pick<FilePut, "uploader" | "code"> & { readonly sharer: number };

/** Milliseconds for which a file without a use is kept. */
const lifeOf = ({ limits }: StoringDeps, { uploader }: Pick<Owner, "uploader">): number =>
  uploader === null ? limits.codeFileLife : limits.unusedFileLife;

async function storeFile(
  deps: StoringDeps,
  incoming: IncomingFile,
  { sharer, ...owner }: Owner,
): Promise<StoredFileView> {
  const share = openShare(deps, sharer);
  try {
    const { file, kind } = await takeIn(deps.blobs, incoming, {
      max: deps.limits.fileSize,
      grow: (size) => share.grow(size),
    });
    const now = deps.clock.now();
    const described = { file, kind, name: uploadName(incoming.name) };
    const unusedUntil = now + lifeOf(deps, owner);
    await keepFile(deps, { ...described, now, unusedUntil, reserved: share.reserved(), ...owner });
    return { file_id: file.md5, name: incoming.name, size: file.size, mime: file.mime };
  } catch (error) {
    await share.release();
    throw error;
  }
}

/**
 * Stores a file that was received for a room of an external network. If no message uses it soon, it is deleted.
 * @throws TelexError `too_large`, `quota_exceeded`, `file_conflict`, `storage_full`, `storage_unavailable`, and what the bytes throw
 */
export async function receiveFile(deps: StoringDeps, groupId: number, incoming: IncomingFile): Promise<FileRecord> {
  const { file_id } = await storeFile(deps, incoming, { uploader: null, code: null, sharer: -groupId });
  const file = await deps.store.findFile(file_id);
  if (file === null) throw new TelexError("file_not_found");
  return file;
}

async function keepFile(deps: StoringDeps, put: FilePut): Promise<void> {
  const stored = await keep(deps, put).catch(async (error: unknown) => {
    // A full store has stored no bytes. After any other failure a record may name the blob: a sweep decides.
    if (TelexError.is(error) && error.code === "storage_full") await dropBlob(deps, put.file.blobId);
    throw error;
  });
  if (stored.outcome !== "stored") await dropBlob(deps, put.file.blobId);
  if (stored.outcome !== "stored" && stored.outcome !== "known") throw codeErrors[stored.outcome]();
}

/** @throws TelexError `file_not_found` */
export async function openBlob(blobs: BlobStore, blobId: string, range?: ByteRange): Promise<ByteStream> {
  const stream = await blobs.open(blobId, range);
  if (stream === null) throw new TelexError("file_not_found");
  return stream;
}

const outgoing = (blobs: BlobStore, file: FileRecord, name: string, inline: boolean): OutgoingFile => ({
  name,
  mime: file.mime,
  size: file.size,
  etag: file.sha256.slice(0, 32),
  inline,
  open: (range) => openBlob(blobs, file.blobId, range),
});

async function* slice(bytes: Uint8Array, range?: ByteRange): ByteStream {
  yield range === undefined ? bytes : bytes.subarray(range.start, range.end + 1);
}

async function preview(thumbnails: Thumbnails, file: FileRecord): Promise<OutgoingFile> {
  const { bytes, mime } = await thumbnails.get(file);
  return {
    name: `128_${imageName(file)}`,
    mime,
    size: bytes.byteLength,
    etag: `${file.sha256.slice(0, 32)}-128`,
    inline: true,
    open: (range) => Promise.resolve(slice(bytes, range)),
  };
}

/** base64url as text, or null when it is not the canonical form of one. */
function decodePath(path: string): string | null {
  const bytes = Buffer.from(path, "base64url");
  const text = bytes.toString("utf8");
  return bytes.toString("base64url") === path.replace(/=+$/, "") && Buffer.from(text).equals(bytes) ? text : null;
}

type AttachmentInput = z.output<BucketContract["downloadFile"]["input"]>;

async function download({ store, thumbnails, blobs }: BucketDeps, name: string): Promise<OutgoingFile> {
  const request = parseImageName(name);
  const file = request === null ? null : await store.findFile(request.md5);
  if (request === null || file === null || file.ext !== request.ext) throw new TelexError("file_not_found");
  return request.thumbnail ? preview(thumbnails, file) : outgoing(blobs, file, name, true);
}

/** The file of an attachment or a link, or null. */
async function fileAt(deps: BucketDeps, relativePath: string): Promise<FileRecord | null> {
  const secret = secretOf(relativePath);
  if (secret !== null) return openLink(deps, secret);
  const attachment = await deps.store.findAttachment(relativePath);
  return attachment === null ? null : deps.store.findFile(attachment.md5);
}

async function downloadFile(deps: BucketDeps, { path, where, name }: AttachmentInput): Promise<OutgoingFile> {
  const relativePath = decodePath(path);
  const file = relativePath !== null && where === placeOf(relativePath) ? await fileAt(deps, relativePath) : null;
  if (file === null) throw new TelexError("file_not_found");
  return outgoing(deps.blobs, file, name, false);
}

async function deleteFile(deps: BucketDeps, userId: number, md5: string): Promise<null> {
  await deleteOwn(deps, userId, md5);
  await revokeLinksTo(deps, userId, md5);
  return null;
}

async function openOwn(deps: BucketDeps, userId: number, md5: string): Promise<OutgoingFile> {
  const file = await findOwn(deps, userId, md5);
  return outgoing(deps.blobs, file, nameOf(file), false);
}

/** Upload codes, uploads and downloads (interface 4.3, 4.7). */
export const createBucketService = (deps: BucketDeps): Implementation<BucketContract> => ({
  async generateCode(_caller, { storageId }) {
    const code = randomBytes(16).toString("hex");
    const expiresAt = deps.clock.now() + deps.limits.codeLife;
    await deps.store.issueCode({ digest: digestOf(code), storageId, expiresAt });
    return code;
  },
  async uploadByCode(_caller, { storageId, code, file }) {
    const key = { digest: digestOf(code), storageId };
    await assertCode(deps, key);
    return storeFile(deps, file, { uploader: null, code: key, sharer: 0 });
  },
  upload: ({ userId }, { file }) => storeFile(deps, file, { uploader: userId, code: null, sharer: userId }),
  files: ({ userId }, input, context) => listOwn(deps, userId, input, context),
  countFiles: ({ userId }) => countOwn(deps, userId),
  deleteFile: ({ userId }, { md5 }) => deleteFile(deps, userId, md5),
  shareFile: ({ userId }, input) => shareFile(deps, userId, input),
  links: ({ userId }) => listLinks(deps, userId),
  async revokeLink({ userId }, { id }) {
    await revokeLink(deps, userId, id);
    return null;
  },
  file: ({ userId }, { md5 }) => openOwn(deps, userId, md5),
  download: (_caller, { file }) => download(deps, file),
  downloadFile: (_caller, input) => downloadFile(deps, input),
});
