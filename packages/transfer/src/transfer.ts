import {
  type BlobStore,
  keyOf,
  type RecordKind,
  recordKinds,
  type RecordStore,
  TransferError,
} from "@telex/core/storage";
import { digestAll, digestRecords, readRecords, type RecordDigest } from "./digest.ts";
import { checkFiles, copyFiles, type FilesReport } from "./files.ts";
import type { TransferLog, TransferState } from "./log.ts";

/** The progress of a transfer. */
export interface TransferProgress {
  readonly phase: "records" | "files" | "check";
  /** Records or files. */
  readonly done: number;
  readonly total: number;
}

/** Options of {@link transfer}. */
export interface TransferOptions {
  /** A storage that no server uses during the transfer. */
  readonly from: { readonly records: RecordStore };
  /** An empty storage, or one into which this transfer has put something already. */
  readonly to: { readonly records: RecordStore };
  readonly fromBlobs: Pick<BlobStore, "open" | "list">;
  readonly toBlobs: BlobStore;
  /** Makes the transfer go on after a kill. `source` names where it comes from. Without it the target must be empty. */
  readonly resume?: { readonly log: TransferLog; readonly source: string };
  /** Leave out files whose bytes are missing or damaged, and report them. Default false: the first one ends the transfer. */
  readonly skipDamaged?: boolean;
  readonly progress?: (progress: TransferProgress) => void;
}

/** The records and files that were moved. Both sides were read to the end for it. */
export interface TransferReport {
  readonly records: { readonly [Kind in RecordKind]: RecordDigest };
  readonly files: FilesReport;
  /** True when an earlier call had begun it. */
  readonly resumed: boolean;
}

/**
 * Moves everything from one storage to another, with every id, place and time as it is, and compares the two afterwards:
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
 * Resolves with how far this transfer has come before, or null if it begins in an empty target.
 * @throws TransferError `target_not_empty`, `other_transfer` (as a rejection)
 */
export async function assertFree(target: Target): Promise<Position | null> {
  const begun = await findBegun(target);
  if (begun === null) await assertEmpty(target);
  return begun;
}

type Position = Pick<TransferState, "kind" | "after">;

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

async function totalOf(records: RecordStore, kinds: readonly RecordKind[]): Promise<number> {
  let total = 0;
  for (const kind of kinds) total += await records.count(kind);
  return total;
}

/** The first kind that is not copied, by its place among all kinds. */
function placeOf(begun: Position | null): number {
  if (begun === null) return 0;
  return begun.kind === null ? recordKinds.length : recordKinds.indexOf(begun.kind);
}

async function copyRecords(options: TransferOptions, begun: Position | null): Promise<void> {
  const { from, to, resume, progress } = options;
  const first = placeOf(begun);
  const total = await totalOf(from.records, recordKinds);
  let done = await totalOf(to.records, recordKinds.slice(0, first));
  const note = async (kind: RecordKind | null, after: Position["after"]): Promise<void> => {
    await resume?.log.save({ source: resume.source, kind, after });
    progress?.({ phase: "records", done, total });
  };
  for (const kind of recordKinds.slice(first)) {
    const after = kind === begun?.kind ? begun.after : null;
    await note(kind, after);
    for await (const records of readRecords(from.records, kind, after)) {
      await to.records.put(kind, records);
      done += records.length;
      const last = records.at(-1);
      if (last !== undefined) await note(kind, keyOf(kind, last));
    }
  }
  await note(null, null);
}

/** Reads both sides to the end. */
async function compareRecords({ from, to, progress }: TransferOptions): Promise<TransferReport["records"]> {
  const total = 2 * (await totalOf(from.records, recordKinds));
  let done = 0;
  const each = (records: number): void => {
    done += records;
    progress?.({ phase: "check", done, total });
  };
  const compare = async (kind: RecordKind): Promise<RecordDigest> => {
    const source = await digestRecords(from.records, kind, each);
    const target = await digestRecords(to.records, kind, each);
    if (source.sha256 !== target.sha256) throw differs(kind, source, target);
    return source;
  };
  return await digestAll(compare);
}

/** The error for records that differ after the copy. */
export const differs = (kind: RecordKind, source: RecordDigest, target: RecordDigest): TransferError =>
  new TransferError(
    "differs",
    `After the transfer the ${kind} of source and target differ (${source.count} and ${target.count} records). Where the ` +
      "source was changed since the transfer began, begin again with an empty target.",
  );
