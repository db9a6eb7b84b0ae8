import { transfer, TransferError, type TransferReport } from "@telex/transfer";
import type { RecordStore } from "@telex/core/storage";
import type { Command } from "commander";
import { commonOf, configOf, printResult, talkOf } from "../options/command.ts";
import { Failure, UsageError } from "../errors/errors.ts";
import { printTable } from "../terminal/output.ts";
import type { Talk } from "../terminal/talk.ts";
import type { End, Target } from "./ends.ts";
import type { Address } from "./address.ts";
import { isExport, openSource, openTarget } from "./ends.ts";
import { nameOf } from "./address.ts";
import { createProgressBar } from "./progress.ts";

export interface Copy {
  readonly from: Address;
  readonly to: Address;
  readonly skipDamaged: boolean;
}

/** Copies everything and prints a report: `telex migrate copy`, `telex export`, `telex import`. */
export async function runCopy(command: Command, { from, to, skipDamaged }: Copy): Promise<void> {
  if (nameOf(from) === nameOf(to)) throw new UsageError("Source and target are the same.");
  const config = await configOf(command);
  const source = await openSource(config, from);
  try {
    const target = await openTarget(config, to);
    const { records, files, resumed } = await copy(command, { source, target, skipDamaged });
    const report = { target: target.name, resumed, records, files };
    printResult(command, report, () => show(report, talkOf(command)));
  } finally {
    await source.close();
  }
}

interface Sides {
  readonly source: End;
  readonly target: Target;
  readonly skipDamaged: boolean;
}

/** An export is for reading: it has none of the keys that open or sign something, and a server makes new ones. */
const withoutKeys = (records: RecordStore): RecordStore => ({
  list: async (kind, page) => (kind === "keys" ? [] : await records.list(kind, page)),
  count: async (kind) => (kind === "keys" ? 0 : await records.count(kind)),
  put: (kind, list) => records.put(kind, list),
});

async function copy(command: Command, { source, target, skipDamaged }: Sides): Promise<TransferReport> {
  const bar = createProgressBar(commonOf(command));
  try {
    const copied = await transfer({
      from: isExport(target) ? { records: withoutKeys(source.records) } : source,
      to: target,
      fromBlobs: source.blobs,
      toBlobs: target.blobs,
      resume: { log: target.state, source: source.name },
      skipDamaged,
      progress: bar.show,
    }).catch(refuseTransfer);
    await target.complete(copied);
    return copied;
  } finally {
    bar.end();
    await target.close();
  }
}

const advice: Partial<Record<TransferError["fault"], string>> = {
  damaged_file: " With --skip-damaged such files are left out.",
};

/**
 * Turns the error of a transfer into a failure for the operator.
 * @throws Failure, or the error itself if it is of another kind
 */
export function refuseTransfer(error: unknown): never {
  if (!(error instanceof TransferError)) throw error;
  throw new Failure(error.fault, error.message + (advice[error.fault] ?? ""), { cause: error });
}

function show({ records, files }: Pick<TransferReport, "records" | "files">, talk: Talk): void {
  const rows = Object.entries(records).flatMap(([kind, { count }]) => (count === 0 ? [] : [[kind, count]]));
  printTable(["kind", "records"], rows);
  talk.done(`${files.count} files with ${files.bytes} bytes. Everything was read back and is the same.`);
  for (const { md5, fault } of files.damaged) talk.warn(`File ${md5} was left out: its bytes are ${fault}.`);
}
