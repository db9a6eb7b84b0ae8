import type { Command } from "commander";
import { talkOf } from "../command.ts";
import { printFields } from "../output.ts";
import { operate } from "./operate.ts";

/** `telex files sweep` */
export async function sweepFiles(command: Command): Promise<void> {
  await operate(
    command,
    async ({ files }, caller) => await files.sweep(caller, {}),
    (swept) => printFields({ files: swept.files, codes: swept.codes, orphans: swept.orphans, bytes: swept.bytes }),
  );
}

/** `telex files quarantine` */
export async function quarantineFile(command: Command, fileId: string): Promise<void> {
  await operate(
    command,
    async ({ files }, caller) => await files.quarantine(caller, { file_id: fileId }),
    (taken) => {
      printFields({ file_id: taken.file_id, mime: taken.mime, size: taken.size, blob: taken.blob });
      talkOf(command).done("Nobody can download this file any more, and nobody can upload it again.");
    },
  );
}
