import type { BucketStore, UploadShare } from "@telex/core/storage";
import type { StoreDeps } from "./deps.ts";
import { plain } from "../driver/collections.ts";
import { idFor } from "../driver/documents.ts";
import { touchRoot } from "./quotas.ts";
import type { Tx } from "../driver/transaction.ts";

/** The root of a share: every verb that changes it writes it. */
export const shareRoot = (uploader: number): string => `uploads/${uploader}`;

/** Adds bytes to a share, or subtracts them. */
async function change(tx: Tx, { uploader, until, bytes }: UploadShare): Promise<void> {
  const before = await tx.find("uploadShares", idFor([uploader, until]));
  await touchRoot(tx, shareRoot(uploader));
  const counted = Math.max(0, (before?.bytes ?? 0) + bytes);
  tx.put("uploadShares", plain("uploadShares", { uploader, until, bytes: counted }));
}

/** Subtracts bytes from an existing share. */
export async function releaseShare(tx: Tx, share: UploadShare): Promise<void> {
  const before = await tx.find("uploadShares", idFor([share.uploader, share.until]));
  if (before !== null) await change(tx, { ...share, bytes: -share.bytes });
}

async function reserve(
  tx: Tx,
  share: UploadShare,
  { max, now }: Parameters<BucketStore["reserveUpload"]>[1],
): ReturnType<BucketStore["reserveUpload"]> {
  const { uploader } = share;
  const ofUploader = { $gte: { a: uploader, b: 0 }, $lt: { a: uploader + 1, b: 0 } };
  await tx.dropAll("uploadShares", { _id: ofUploader, until: { $lte: now } });
  const counting = await tx.list("uploadShares", { _id: ofUploader, bytes: { $gt: 0 } });
  if (share.bytes + counting.reduce((sum, { bytes }) => sum + bytes, 0) > max)
    return { outcome: "used_up", freeAt: Math.min(share.until, ...counting.map(({ until }) => until)) };
  await change(tx, share);
  return { outcome: "reserved" };
}

/** Bytes of uploads that count towards a share. */
export const createShareVerbs = ({
  batches: { write },
}: StoreDeps): Pick<BucketStore, "reserveUpload" | "releaseUpload"> => ({
  reserveUpload: ({ ...share }, { ...limit }) => write(shareRoot(share.uploader), (tx) => reserve(tx, share, limit)),
  releaseUpload: ({ ...share }) => write(shareRoot(share.uploader), (tx) => releaseShare(tx, share)),
});
