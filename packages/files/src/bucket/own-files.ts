import type { z } from "zod";
import { nextTick } from "@telex/ground/concurrency";
import { TelexError } from "@telex/ground/errors";
import type { Logger } from "@telex/ground/log";
import type { BlobStore } from "../blobs/blobs.ts";
import { imageName } from "../blobs/names.ts";
import type { UploadedFile } from "../records.ts";
import type { BucketContract, OwnFileView } from "./contract.ts";
import { shownKind } from "./kinds.ts";
import type { BucketStore, UploadsPage } from "./store.ts";
import { dropBlobs } from "./sweep.ts";

interface OwnFilesDeps {
  readonly store: BucketStore;
  readonly blobs: BlobStore;
  readonly log: Logger;
}

type FilesInput = z.output<BucketContract["files"]["input"]>;
type FilesOutput = z.output<BucketContract["files"]["output"]>;
type CountOutput = z.output<BucketContract["countFiles"]["output"]>;

/** Uploads that one page of a search looks at: rounds, and uploads of a round. */
const rounds = 4;
const ofRound = 500;

/** The name of an upload: for one of an earlier version, by its content. */
export const nameOf = (file: UploadedFile): string =>
  file.name !== "" ? file.name : file.ext === "" ? file.md5 : imageName(file);

function ownFileOf(file: UploadedFile): OwnFileView {
  const { md5, name, size, mime, ext, createdAt, uploadedAt, usedAt } = file;
  const isImage = ext !== "";
  return {
    file_id: md5,
    name,
    kind: shownKind(file),
    size,
    mime,
    createTime: uploadedAt === 0 ? createdAt : uploadedAt,
    used: usedAt !== null,
    url: isImage ? `/download/${imageName(file)}` : `/api/file/${md5}`,
    thumbnail: isImage ? `/download/128_${imageName(file)}` : null,
  };
}

const fold = (text: string): string => text.normalize("NFKC").toLowerCase();

/** Decides whether an upload is of a kind, and has all words of a query in its name. */
function matcherOf({ query = "", kind }: Pick<FilesInput, "query" | "kind">): (file: UploadedFile) => boolean {
  const words = fold(query).split(/\s+/);
  return (file) => {
    if (kind !== undefined && shownKind(file) !== kind) return false;
    const name = fold(nameOf(file));
    return words.every((word) => name.includes(word));
  };
}

const cursorOf = ({ uploadedAt, md5 }: UploadedFile): string => `${uploadedAt}.${md5}`;

function readCursor(cursor: string): UploadsPage["after"] {
  const [uploadedAt = "", md5 = ""] = cursor.split(".");
  return { uploadedAt: Number(uploadedAt), md5 };
}

/** A page of the uploads of a user. One that filters looks at a bounded number, and then ends early. */
export async function listOwn(
  { store }: Pick<OwnFilesDeps, "store">,
  userId: number,
  { pageSize, cursor, query, kind }: FilesInput,
): Promise<FilesOutput> {
  const isMatch = matcherOf({ query, kind });
  // One more shows that there is a next page.
  const limit = query === undefined && kind === undefined ? pageSize + 1 : ofRound;
  const matches: UploadedFile[] = [];
  let after = cursor === undefined ? null : readCursor(cursor);
  let next: string | null = null;
  for (let round = 0; round < rounds && matches.length <= pageSize; round += 1, await nextTick()) {
    const uploads: readonly UploadedFile[] = await store.listUploads({ userId, after, limit });
    matches.push(...uploads.filter(isMatch));
    const last = uploads.length < limit ? undefined : uploads.at(-1);
    after = last ?? null;
    next = last === undefined ? null : cursorOf(last);
    if (last === undefined) break;
  }
  const list = matches.slice(0, pageSize);
  const end = matches.length > pageSize ? list.at(-1) : undefined;
  return { list: list.map(ownFileOf), nextCursor: end === undefined ? next : cursorOf(end) };
}

/** Uploads that are counted: rounds of {@link ofRound}. */
const countedRounds = 20;

/** Counts the uploads of a user, the newest first, up to a bound. */
export async function countOwn({ store }: Pick<OwnFilesDeps, "store">, userId: number): Promise<CountOutput> {
  const kinds: CountOutput["kinds"] = { picture: 0, text: 0, audio: 0, video: 0, archive: 0, other: 0 };
  let [count, size] = [0, 0];
  let after: UploadsPage["after"] = null;
  for (let round = 0; round < countedRounds; round += 1, await nextTick()) {
    const uploads: readonly UploadedFile[] = await store.listUploads({ userId, after, limit: ofRound });
    for (const upload of uploads) kinds[shownKind(upload)] += 1;
    count += uploads.length;
    size += uploads.reduce((sum, upload) => sum + upload.size, 0);
    const last = uploads.at(-1);
    if (last === undefined || uploads.length < ofRound) return { count, size, kinds, isWhole: true };
    after = last;
  }
  return { count, size, kinds, isWhole: false };
}

/** @throws TelexError `file_not_found` */
export async function findOwn(
  { store }: Pick<OwnFilesDeps, "store">,
  userId: number,
  md5: string,
): Promise<UploadedFile> {
  const [file] = await store.findUploads(userId, [md5]);
  if (file === undefined) throw new TelexError("file_not_found");
  return file;
}

/**
 * Takes an upload away from its user. The bytes go if nothing else uses them; a sweep finds bytes that cannot be deleted now.
 * @throws TelexError `file_not_found`
 */
export async function deleteOwn({ store, blobs, log }: OwnFilesDeps, userId: number, md5: string): Promise<void> {
  const taken = await store.takeUpload({ userId, md5 });
  if (taken.outcome === "missing") throw new TelexError("file_not_found");
  if (taken.outcome !== "dropped") return;
  const { blobId } = taken.file;
  await dropBlobs(blobs, taken.file).catch((cause: unknown) => log.error("blob.delete_failed", { blobId }, cause));
}
