import type { Command } from "commander";
import { settingOptions, storageSettings } from "../command.ts";
import { settings } from "../settings/table.ts";

/** `telex files` */
export function defineFiles(command: Command): void {
  defineSweep(command.command("sweep"));
  defineQuarantine(command.command("quarantine"));
}

const load = async () => await import("../operator/files.ts");

function defineSweep(command: Command): void {
  const lives = [settings.unusedFileLife, settings.imageLife];
  command.description("Delete files past their time, expired codes, and what crashes left behind");
  settingOptions(command, [...storageSettings, ...lives]).action(async () => {
    await (await load()).sweepFiles(command);
  });
}

function defineQuarantine(command: Command): void {
  settingOptions(command.description("Take a file out of service for good"), storageSettings)
    .argument("<file_id>", "MD5 of the file; its bytes are kept aside, and nobody can upload it again")
    .action(async (fileId: string) => {
      await (await load()).quarantineFile(command, fileId);
    });
}
