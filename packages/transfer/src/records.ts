import { keyOf, type RecordKind, recordKinds, type RecordStore, TransferError } from "@telex/core/storage";
import { digestAll, digestRecords, readRecords, type RecordDigest } from "./digest.ts";
import type { TransferState } from "./log.ts";
import type { TransferOptions, TransferReport } from "./options.ts";

export type Position = Pick<TransferState, "kind" | "after">;

async function totalOf(records: RecordStore, kinds: readonly RecordKind[]): Promise<number> {
  let total = 0;
  for (const kind of kinds) total += await records.count(kind);
  return total;
}

/** The index of the first kind that is not copied. */
function placeOf(begun: Position | null): number {
  if (begun === null) return 0;
  return begun.kind === null ? recordKinds.length : recordKinds.indexOf(begun.kind);
}

export async function copyRecords(options: TransferOptions, begun: Position | null): Promise<void> {
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
export async function compareRecords({ from, to, progress }: TransferOptions): Promise<TransferReport["records"]> {
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
