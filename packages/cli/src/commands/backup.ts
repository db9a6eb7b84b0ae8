import type { Command } from "commander";
import { placeSettings, settingOptions } from "../command.ts";

const help = `
The folder is a data folder. To restore it, start a server with --data on it, or on a copy of it.

Example:
  $ telex backup /backups/$(date +%F) && telex serve --data /backups/$(date +%F) --port 0`;

/** `telex backup` */
export function defineBackup(command: Command): void {
  settingOptions(command, placeSettings)
    .argument("<folder>", "new folder")
    .option("--skip-damaged", "leave out files whose bytes are missing or damaged")
    .addHelpText("after", help)
    .action(async (folder: string, { skipDamaged = false }: { readonly skipDamaged?: boolean }) => {
      const { runBackup } = await import("../transfer/backup.ts");
      await runBackup(command, folder, skipDamaged);
    });
}
