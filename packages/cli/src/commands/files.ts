import type { Command } from "commander";
import { operatorCommand, placeSettings } from "../options/command.ts";
import { confirmed } from "../options/confirm.ts";
import { readInteger } from "../options/read.ts";
import { settings } from "../settings/table.ts";

const { timeZone, imageLife } = settings;

/** `telex files` */
export function defineFiles(command: Command): void {
  const list = command.command("list");
  operatorCommand(list, "List stored files by their file_id", [...placeSettings, timeZone])
    .option("--after <file_id>", "only files with a greater file_id")
    .option("--limit <n>", "at most this many, 1 to 1000", readInteger(1, 1000), 100)
    .action(async (page: { readonly after?: string; readonly limit: number }) => (await load()).listFiles(list, page));
  const sweep = command.command("sweep");
  operatorCommand(sweep, "Delete expired files, and files that a crash has left behind", [
    ...placeSettings,
    imageLife,
  ]).action(async () => (await load()).sweepFiles(sweep));
  const quarantine = command.command("quarantine");
  confirmed(operatorCommand(quarantine, "Block a file: it can no longer be downloaded or uploaded", placeSettings))
    .argument("<file_id>", "32 hexadecimal digits")
    .action(async (fileId: string) => (await load()).quarantineFile(quarantine, fileId));
}

const load = async () => await import("../operator/files.ts");
