import type { BucketStore, UploadedFile, UploadsPage } from "@telex/core/storage";
import type { Db, Document } from "mongodb";
import type { StoreDeps } from "./deps.ts";
import { collectionOf } from "../driver/collections.ts";
import { type DocumentId, type Documents, idFor, recordOf } from "../driver/documents.ts";
import { fileOf } from "./files.ts";

/** The position after a file in a list of the newest ones. */
const afterOf = ({ uploadedAt, md5 }: NonNullable<UploadsPage["after"]>): Document[] => [
  { createdAt: { $lt: uploadedAt } },
  { createdAt: uploadedAt, md5: { $lt: md5 } },
];

/** Uploads that one command dates. */
const datedTogether = 500;

async function datesOf(db: Db, md5s: readonly string[]): Promise<ReadonlyMap<DocumentId, number>> {
  const files = collectionOf(db, "files").find({ _id: { $in: [...md5s] } });
  return new Map(await files.map(({ _id, createdAt }) => [_id, createdAt] as const).toArray());
}

/** Dates the uploads of earlier versions and of backups, which have no date. */
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
        // -1: an upload without its file is not listed.
        updateOne: { filter: { _id }, update: { $set: { createdAt: dates.get(md5) ?? -1 } } },
      })),
    );
  }
}

/** The files of these uploads, in their order. Skips uploads without a file. */
async function filesOf(db: Db, uploads: readonly Documents["uploads"][]): Promise<UploadedFile[]> {
  const ids = uploads.map(({ md5 }) => md5);
  const found = collectionOf(db, "files").find({ _id: { $in: ids } });
  const files = new Map(await found.map((file) => [file.md5, fileOf(file)] as const).toArray());
  return uploads.flatMap((upload) => {
    const { md5, name, kind, createdAt: uploadedAt } = recordOf("uploads", upload);
    const file = files.get(md5);
    return file === undefined ? [] : [{ ...file, name, kind, uploadedAt }];
  });
}

type UploadVerbs = Pick<BucketStore, "findUploads" | "listUploads">;

export const uploadVerbs = ({ db, batches: { single } }: StoreDeps): UploadVerbs => {
  const uploads = collectionOf(db, "uploads");
  return {
    findUploads: (userId, md5s) =>
      single(async () =>
        filesOf(db, await uploads.find({ _id: { $in: md5s.map((md5) => idFor([md5, userId])) } }).toArray()),
      ),
    listUploads: ({ userId, after, limit }) =>
      single(async () => {
        await dateUploads(db, userId);
        const below = after === null ? {} : { $or: afterOf(after) };
        const options = { sort: { createdAt: -1, md5: -1 }, limit } as const;
        return filesOf(db, await uploads.find({ userId, createdAt: { $gte: 0 }, ...below }, options).toArray());
      }),
  };
};
