import { digestAll, digestPages, digestRecords, readRecords } from "./digest.ts";
import type { RecordKind, Records, RecordStore } from "@telex/core/storage";
import { differs } from "./records.ts";
import type { TransferProgress } from "./options.ts";

interface SnapshotCopy {
  /** All records at one moment. They are read once, because the view may end. */
  readonly from: Pick<RecordStore, "list">;
  /** An empty storage. */
  readonly to: RecordStore;
  /** The approximate number of records. */
  readonly total: number;
  readonly progress: (progress: TransferProgress) => void;
}

async function* copyPages<Kind extends RecordKind>(
  { from, to }: SnapshotCopy,
  kind: Kind,
): AsyncGenerator<readonly Records[Kind][]> {
  for await (const records of readRecords(from, kind)) {
    await to.put(kind, records);
    yield records;
  }
}

/**
 * Copies all records of a storage that is in use, and then compares the target with the records that were read.
 * @throws TransferError `differs` (as a rejection)
 */
export async function copySnapshot(copy: SnapshotCopy): Promise<void> {
  const tell = (phase: TransferProgress["phase"]): ((records: number) => void) => {
    let done = 0;
    return (records) => {
      done += records;
      copy.progress({ phase, done, total: Math.max(copy.total, done) });
    };
  };
  const [copied, checked] = [tell("records"), tell("check")];
  const read = await digestAll((kind) => digestPages(kind, copyPages(copy, kind), copied));
  await digestAll(async (kind) => {
    const there = await digestRecords(copy.to, kind, checked);
    if (there.sha256 !== read[kind].sha256) throw differs(kind, read[kind], there);
    return there;
  });
}
