import type { Command } from "commander";
import { settingOptions } from "../command.ts";
import { settings } from "../settings/table.ts";

const { data, storage, imageLife } = settings;

/** `telex files` */
export function defineFiles(command: Command): void {
  const sweep = command.command("sweep").description("Delete expired files, and files that crashes left behind");
  settingOptions(sweep, [data, storage, imageLife]).action(async () => {
    await (await load()).sweepFiles(sweep);
  });
  const quarantine = command.command("quarantine").description("Take a file out of service for good");
  settingOptions(quarantine, [data, storage])
    .argument("<file_id>", "32 hexadecimal digits")
    .action(async (fileId: string) => {
      await (await load()).quarantineFile(quarantine, fileId);
    });
}

const load = async () => await import("../operator/files.ts");
