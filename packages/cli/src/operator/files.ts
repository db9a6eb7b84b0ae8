import type { OperatorClient } from "@telex/http/client";
import type { Command } from "commander";
import { talkOf } from "../options/command.ts";
import { confirm } from "../options/confirm.ts";
import { printable, printFields, printRows } from "../terminal/output.ts";
import { operate } from "./operate.ts";

type Files = Awaited<ReturnType<OperatorClient["files"]["list"]>>;

const showList = (files: Files): void =>
  printRows(files, {
    file_id: ({ file_id }) => file_id,
    type: ({ mime }) => mime,
    size: ({ size }) => size,
    created: ({ createdAt }) => createdAt,
    used: ({ usedAt }) => usedAt,
    kept: ({ kept }) => kept,
  });

/** `telex files list` */
export async function listFiles(command: Command, page: { after?: string; limit: number }): Promise<void> {
  await operate(command, async ({ files }) => await files.list(page), showList);
}

type Swept = Awaited<ReturnType<OperatorClient["files"]["sweep"]>>;

const showSwept = ({ files, codes, orphans, bytes }: Swept): void => printFields({ files, codes, orphans, bytes });

/** `telex files sweep` */
export async function sweepFiles(command: Command): Promise<void> {
  await operate(command, async ({ files }) => await files.sweep({}), showSwept);
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
      talkOf(command).done("This file can no longer be downloaded or uploaded.");
    },
  );
}
