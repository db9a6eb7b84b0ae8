import type { Command } from "commander";
import { operatorCommand } from "../command.ts";
import { readInteger } from "../options.ts";
import { settings } from "../settings/table.ts";

const { data, storage, timeZone, imageLife } = settings;

/** `telex files` */
export function defineFiles(command: Command): void {
  const list = command.command("list");
  operatorCommand(list, "List stored files by their file_id", [data, storage, timeZone])
    .option("--after <file_id>", "only files with a greater file_id")
    .option("--limit <n>", "at most this many, 1 to 1000", readInteger(1, 1000), 100)
    .action(async (page: { readonly after?: string; readonly limit: number }) => {
      await (await load()).listFiles(list, page);
    });
  const sweep = command.command("sweep");
  operatorCommand(sweep, "Delete expired files, and files that crashes left behind", [data, storage, imageLife]).action(
    async () => {
      await (await load()).sweepFiles(sweep);
    },
  );
  const quarantine = command.command("quarantine");
  operatorCommand(quarantine, "Take a file out of service for good", [data, storage])
    .argument("<file_id>", "32 hexadecimal digits")
    .action(async (fileId: string) => {
      await (await load()).quarantineFile(quarantine, fileId);
    });
}

const load = async () => await import("../operator/files.ts");
