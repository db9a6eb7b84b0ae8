import type { AttachmentRecord, FileRecord, MessageRecord } from "@telex/core/storage";
import { plain } from "../driver/collections.ts";
import type { Documents } from "../driver/documents.ts";
import type { Tx } from "../driver/transaction.ts";

type FileDocument = Documents["files"];

/** The position of messages of earlier versions, whose position is not known. */
const unknownPosition = { groupId: 0, seq: 0 };

type Position = Pick<MessageRecord, "groupId" | "seq">;

/** The record for callers, without the time until which an unused file is kept. */
export function fileOf({ _id, unusedUntil: _unusedUntil, rev: _rev, ...record }: FileDocument): FileRecord {
  return record;
}

/** The filter for the uses of a file, on the index of ids. Conversations have negative ids. */
const usesOf = (md5: string) => ({
  _id: { $gte: { a: md5, b: Number.MIN_SAFE_INTEGER, c: 0 }, $lt: { a: `${md5}\0`, b: 0, c: 0 } },
});
/** The filter for the uploads of a file, on the index of ids. */
export const uploadsOf = (md5: string) => ({ _id: { $gte: { a: md5, b: 0 }, $lt: { a: `${md5}\0`, b: 0 } } });

const hasUses = async (tx: Tx, md5: string): Promise<boolean> =>
  (await tx.list("fileUses", usesOf(md5), { limit: 1 })).length > 0;

/**
 * Writes a file, so that verbs that remove it or count its uses conflict. The document must change: MongoDB skips a write that changes
 * nothing, and such a write never conflicts.
 */
export const putUsed = (tx: Tx, file: FileDocument): void => tx.put("files", { ...file, rev: (file.rev ?? 0) + 1 });

/** A file that was in use before uses were recorded never becomes free. */
async function noteEarlierUse(tx: Tx, { md5, usedAt }: FileDocument): Promise<void> {
  if (usedAt === null || (await hasUses(tx, md5))) return;
  tx.put("fileUses", plain("fileUses", { md5, ...unknownPosition }));
}

/** Marks a file as used at `now` by the message at a position. */
async function useFile(tx: Tx, md5: string, { groupId, seq }: Position, now: number): Promise<void> {
  const file = await tx.find("files", md5);
  if (file === null) return;
  await noteEarlierUse(tx, file);
  putUsed(tx, { ...file, usedAt: Math.max(file.usedAt ?? now, now) });
  tx.put("fileUses", plain("fileUses", { md5, groupId, seq }));
}

/** The first of the files that does not exist, or null. */
export async function findMissing(tx: Tx, md5s: readonly string[]): Promise<string | null> {
  for (const md5 of md5s) if ((await tx.find("files", md5)) === null) return md5;
  return null;
}

/** Marks the files of a message as used, and stores its attachments in their order. */
export async function useFiles(
  tx: Tx,
  used: { readonly md5s: readonly string[]; readonly attachments: readonly AttachmentRecord[]; readonly now: number },
  { groupId, seq }: Position,
): Promise<void> {
  for (const md5 of new Set(used.md5s)) await useFile(tx, md5, { groupId, seq }, used.now);
  for (const [position, attachment] of used.attachments.entries()) {
    const { relativePath } = attachment;
    tx.put("attachments", plain("attachments", attachment));
    tx.put("messageFiles", plain("messageFiles", { groupId, seq, position, relativePath }));
  }
}

/** When the last use of a file ends, the file counts as never used, unless it is kept. */
async function dropUse(tx: Tx, use: Documents["fileUses"]): Promise<void> {
  tx.drop("fileUses", use._id);
  const file = await tx.find("files", use.md5);
  if (file === null) return;
  const isFree = file.usedAt !== Number.MAX_SAFE_INTEGER && !(await hasUses(tx, use.md5));
  putUsed(tx, isFree ? { ...file, usedAt: null } : file);
}

/** Ends the uses of files by the message at a position, and removes its attachments. */
export async function releaseFiles(tx: Tx, { groupId, seq }: Position): Promise<void> {
  for (const attached of await tx.list("messageFiles", attachedTo({ groupId, seq }))) {
    tx.drop("attachments", attached.relativePath);
    tx.drop("messageFiles", attached._id);
  }
  for (const use of await tx.list("fileUses", { groupId, seq })) await dropUse(tx, use);
}

/** Ends the uses of files by the messages of a group in this range, which have no attachments. */
export async function releaseRange(tx: Tx, groupId: number, { from, to }: { from: number; to: number }): Promise<void> {
  for (const use of await tx.list("fileUses", { groupId, seq: { $gte: from, $lte: to } })) await dropUse(tx, use);
}

/** The filter for the paths of the attachments of a message, on the index of ids. */
export const attachedTo = ({ groupId, seq }: Position) => ({
  _id: { $gte: { a: groupId, b: seq, c: 0 }, $lt: { a: groupId, b: seq + 1, c: 0 } },
});

/** Removes a file with its uploads, attachments and uses. */
export async function dropFile(tx: Tx, file: FileDocument): Promise<FileRecord> {
  const { md5 } = file;
  tx.drop("files", md5);
  await tx.dropAll("uploads", uploadsOf(md5));
  await tx.dropAll("attachments", { md5 });
  await tx.dropAll("fileUses", usesOf(md5));
  return fileOf(file);
}
