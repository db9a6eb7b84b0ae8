import type { Command } from "commander";
import { talkOf } from "../command.ts";
import { confirm } from "../confirm.ts";
import { printable, printFields, printTable } from "../output.ts";
import { operate } from "./operate.ts";

/** `telex files list` */
export async function listFiles(command: Command, page: { after?: string; limit: number }): Promise<void> {
  await operate(
    command,
    async ({ files }) => await files.list(page),
    (files) =>
      printTable(
        ["file_id", "type", "size", "created", "used", "kept"],
        files.map(({ file_id, mime, size, createdAt, usedAt, kept }) => [file_id, mime, size, createdAt, usedAt, kept]),
      ),
  );
}

/** `telex files sweep` */
export async function sweepFiles(command: Command): Promise<void> {
  await operate(
    command,
    async ({ files }) => await files.sweep({}),
    (swept) => printFields({ files: swept.files, codes: swept.codes, orphans: swept.orphans, bytes: swept.bytes }),
  );
}

/** `telex files quarantine` */
export async function quarantineFile(command: Command, fileId: string): Promise<void> {
  await operate(
    command,
    async ({ files }) => {
      await confirm(command, `Take file ${printable(fileId)} out of service for good?`);
      return await files.quarantine({ file_id: fileId });
    },
    (taken) => {
      printFields({ file_id: taken.file_id, mime: taken.mime, size: taken.size, blob: taken.blob });
      talkOf(command).done("Nobody can download this file any more, and nobody can upload it again.");
    },
  );
}
