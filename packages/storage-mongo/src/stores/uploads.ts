import type { BucketStore, FileRecord } from "@telex/core/storage";
import type { Db, Document } from "mongodb";
import type { StoreDeps } from "./deps.ts";
import { collectionOf } from "../driver/collections.ts";
import { type DocumentId, idFor } from "../driver/documents.ts";
import { fileOf } from "./files.ts";

const newestFirst = (a: FileRecord, b: FileRecord): number =>
  b.createdAt - a.createdAt || Number(a.md5 < b.md5) - Number(a.md5 > b.md5);

/** The position after a file in a list of the newest ones. */
const afterOf = ({ createdAt, md5 }: Pick<FileRecord, "createdAt" | "md5">): Document[] => [
  { createdAt: { $lt: createdAt } },
  { createdAt, md5: { $lt: md5 } },
];

/** Uploads that are dated together. */
const datedTogether = 500;

async function datesOf(db: Db, md5s: readonly string[]): Promise<ReadonlyMap<DocumentId, number>> {
  const files = collectionOf(db, "files").find({ _id: { $in: [...md5s] } });
  return new Map(await files.map(({ _id, createdAt }) => [_id, createdAt] as const).toArray());
}

/** Uploads of an earlier version, and of a backup, do not say how old their files are. */
async function dateUploads(db: Db, userId: number): Promise<void> {
  const uploads = collectionOf(db, "uploads");
  const without: Document = { userId, createdAt: null };
  for (;;) {
    const undated = await uploads.find(without, { limit: datedTogether }).toArray();
    if (undated.length === 0) return;
    const md5s = undated.map(({ md5 }) => md5);
    const dates = await datesOf(db, md5s);
    await uploads.bulkWrite(
      undated.map(({ _id, md5 }) => ({
        // An upload without its file is not listed.
        updateOne: { filter: { _id }, update: { $set: { createdAt: dates.get(md5) ?? -1 } } },
      })),
    );
  }
}

type UploadVerbs = Pick<BucketStore, "findUploads" | "listUploads">;

export const uploadVerbs = ({ db, batches: { single } }: StoreDeps): UploadVerbs => {
  const find = async (md5s: readonly string[]): Promise<FileRecord[]> =>
    (
      await collectionOf(db, "files")
        .find({ _id: { $in: md5s } })
        .toArray()
    ).map(fileOf);
  const uploads = collectionOf(db, "uploads");
  return {
    findUploads: (userId, md5s) =>
      single(async () => {
        const ids = md5s.map((md5) => idFor([md5, userId]));
        const own = await uploads.find({ _id: { $in: ids } }).toArray();
        return find(own.map(({ md5 }) => md5));
      }),
    listUploads: ({ userId, after, limit }) =>
      single(async () => {
        await dateUploads(db, userId);
        const below = after === null ? {} : { $or: afterOf(after) };
        const options = { sort: { createdAt: -1, md5: -1 }, limit } as const;
        const own = await uploads.find({ userId, createdAt: { $gte: 0 }, ...below }, options).toArray();
        return (await find(own.map(({ md5 }) => md5))).toSorted(newestFirst);
      }),
  };
};
