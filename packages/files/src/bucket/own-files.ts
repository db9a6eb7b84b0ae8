import type { z } from "zod";
import { nextTick } from "@telex/ground/concurrency";
import type { CallContext } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import type { Logger } from "@telex/ground/log";
import type { BlobStore } from "../blobs/blobs.ts";
import { imageName } from "../blobs/names.ts";
import type { UploadedFile } from "../records.ts";
import type { BucketContract, OwnFileView } from "./contract.ts";
import { shownKind } from "./kinds.ts";
import { type FindSpelled, NameSearch } from "./name-search.ts";
import type { BucketStore, UploadsPage } from "./store.ts";
import { dropBlobs } from "./sweep.ts";

interface OwnFilesDeps {
  readonly store: BucketStore;
  readonly blobs: BlobStore;
  readonly log: Logger;
  readonly findSpelled: FindSpelled;
}

type FilesInput = z.output<BucketContract["files"]["input"]>;
type FilesOutput = z.output<BucketContract["files"]["output"]>;
type CountOutput = z.output<BucketContract["countFiles"]["output"]>;

/** Maximum uploads that one page of a search checks, and those that are read together. */
const [maxRead, ofRound] = [2000, 500];

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

const cursorOf = ({ uploadedAt, md5 }: UploadedFile): string => `${uploadedAt}.${md5}`;

function readCursor(cursor: string): UploadsPage["after"] {
  const [uploadedAt = "", md5 = ""] = cursor.split(".");
  return { uploadedAt: Number(uploadedAt), md5 };
}

/** The uploads of a user after a place, the newest first, read in rounds. */
async function* uploadsAfter(store: BucketStore, userId: number, place: UploadsPage["after"], limit: number) {
  for (let [after, isMore] = [place, true]; isMore; await nextTick()) {
    const uploads: readonly UploadedFile[] = await store.listUploads({ userId, after, limit });
    yield* uploads;
    [after, isMore] = [uploads.at(-1) ?? null, uploads.length === limit];
  }
}

const pageOf = (list: readonly UploadedFile[], end: UploadedFile | undefined): FilesOutput => ({
  list: list.map(ownFileOf),
  nextCursor: end === undefined ? null : cursorOf(end),
});

/** Reads until there is one match more than a page has, or the page has cost enough. */
async function readPage(
  uploads: ReturnType<typeof uploadsAfter>,
  search: NameSearch,
  pageSize: number,
): Promise<FilesOutput> {
  const matches: UploadedFile[] = [];
  let read = 0;
  for await (const upload of uploads) {
    if (await search.isMatch(upload)) matches.push(upload);
    if (matches.length > pageSize) return pageOf(matches.slice(0, pageSize), matches[pageSize - 1]);
    read += 1;
    if (read === maxRead || search.isOver) return pageOf(matches, upload);
  }
  return pageOf(matches, undefined);
}

/** A page of the uploads of a user. A page with a filter checks a bounded number, and then ends early. */
export async function listOwn(
  { store, findSpelled }: Pick<OwnFilesDeps, "store" | "findSpelled">,
  userId: number,
  { pageSize, cursor, ...wanted }: FilesInput,
  context: CallContext,
): Promise<FilesOutput> {
  const search = new NameSearch(wanted, findSpelled);
  const isWhole = wanted.query === undefined && wanted.kind === undefined;
  const after = cursor === undefined ? null : readCursor(cursor);
  const uploads = uploadsAfter(store, userId, after, isWhole ? pageSize + 1 : ofRound);
  const page = await readPage(uploads, search, pageSize);
  context.charge?.(search.calls);
  return page;
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
export async function deleteOwn(
  { store, blobs, log }: Omit<OwnFilesDeps, "findSpelled">,
  userId: number,
  md5: string,
): Promise<void> {
  const taken = await store.takeUpload({ userId, md5 });
  if (taken.outcome === "missing") throw new TelexError("file_not_found");
  if (taken.outcome !== "dropped") return;
  const { blobId } = taken.file;
  await dropBlobs(blobs, taken.file).catch((cause: unknown) => log.error("blob.delete_failed", { blobId }, cause));
}
