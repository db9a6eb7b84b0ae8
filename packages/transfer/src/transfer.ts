import { recordKinds, type RecordStore, TransferError } from "@telex/core/storage";
import { checkFiles, copyFiles } from "./files.ts";
import { type Position, copyRecords, compareRecords } from "./records.ts";
import type { TransferOptions, TransferReport } from "./options.ts";

/**
 * Moves everything from one storage to another without changing an id, position or time, and compares the two afterwards:
 * records by their number and SHA-256, files by theirs. May be killed at any moment and called again with the same `resume`.
 * @throws TransferError `target_not_empty`, `other_transfer`, `invalid_record`, `damaged_file`, `differs` (as a rejection)
 */
export async function transfer(options: TransferOptions): Promise<TransferReport> {
  const begun = await assertFree(options);
  await copyRecords(options, begun);
  const names = { records: options.from.records, blobs: options.fromBlobs };
  const files = await copyFiles(names, options.toBlobs, {
    skipDamaged: options.skipDamaged ?? false,
    progress: (done, total) => options.progress?.({ phase: "files", done, total }),
  });
  const records = await compareRecords(options);
  await checkFiles(names, options.toBlobs, files);
  return { records, files, resumed: begun !== null };
}

type Target = Pick<TransferOptions, "to" | "toBlobs" | "resume">;

/**
 * Resolves with the progress of an earlier attempt of this transfer, or null if it begins in an empty target.
 * @throws TransferError `target_not_empty`, `other_transfer` (as a rejection)
 */
export async function assertFree(target: Target): Promise<Position | null> {
  const begun = await findBegun(target);
  if (begun === null) await assertEmpty(target);
  return begun;
}

async function findBegun({ resume }: Target): Promise<Position | null> {
  const state = (await resume?.log.load()) ?? null;
  if (state === null || state.source === resume?.source) return state;
  throw new TransferError(
    "other_transfer",
    `A transfer from ${state.source} into this target has begun: end it first, or use an empty target.`,
  );
}

async function assertEmpty({ to, toBlobs }: Target): Promise<void> {
  for (const kind of recordKinds) {
    const isEmpty = kind === "counters" ? await hasGivenNothing(to.records) : (await to.records.count(kind)) === 0;
    if (!isEmpty) throw notEmpty(kind === "counters" ? "has given ids" : `holds ${kind}`);
  }
  for await (const { blobId } of toBlobs.list()) throw notEmpty(`holds files, such as ${blobId}`);
}

const notEmpty = (what: string): TransferError =>
  new TransferError("target_not_empty", `The target ${what} already: use an empty one.`);

async function hasGivenNothing(records: RecordStore): Promise<boolean> {
  const counters = await records.list("counters", { after: null, limit: 100 });
  return counters.every(({ value }) => value === 0);
}
