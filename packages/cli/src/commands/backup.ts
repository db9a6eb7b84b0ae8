import type { Command } from "commander";
import { placeSettings, settingOptions } from "../options/command.ts";
import { gather, readDuration, readInteger } from "../options/read.ts";
import { settings } from "../settings/table.ts";

const backupSettings = [...placeSettings, settings.backupAccessKey, settings.backupSecretKey] as const;

const backupHelp = `
The place is a new folder, or s3:https://s3.example.org/bucket/prefix. With --keep or --keep-for it holds several backups: the new one
is named by the time, and older ones are removed.

Examples:
  $ telex backup backups/monday
  $ telex backup /backups --keep 7 --recipient age1...
  $ telex backup s3:https://s3.example.org/bucket/telex --keep-for 30d
  $ TELEX_STORAGE=mongodb://... telex backup /backups --keep 7`;

interface BackupFlags {
  readonly skipDamaged?: boolean;
  readonly recipient?: readonly string[];
  readonly keep?: number;
  readonly keepFor?: number;
}

export function defineBackup(command: Command): void {
  settingOptions(command, backupSettings)
    .argument("<place>", "folder or bucket")
    .option("--keep <n>", "keep the newest backups of the place, and remove older ones", readInteger(1))
    .option("--keep-for <time>", "keep backups of the place for this long, such as 30d", readDuration)
    .option("--recipient <key>", "encrypt for this public key of age; may be given several times", gather)
    .option("--skip-damaged", "leave out files whose bytes are missing or damaged")
    .addHelpText("after", backupHelp)
    .action(async (place: string, { skipDamaged = false, recipient = [], ...kept }: BackupFlags) => {
      const { keep = null, keepFor = null } = kept;
      const retention = keep === null && keepFor === null ? null : { keep, keepFor };
      const { runBackup } = await import("../backup/backup.ts");
      await runBackup(command, place, { skipDamaged, recipients: recipient, retention });
    });
}

const restoreHelp = `
The place is a backup, or holds several: then the newest complete one is restored. --data names an empty folder,
or --storage an empty MongoDB database, wherever the backup was made. If the command is interrupted, run it again.

Examples:
  $ telex restore backups/monday --data restored
  $ telex restore s3:https://s3.example.org/bucket/telex --identity key.txt --data /var/lib/telex
  $ TELEX_STORAGE=mongodb://... telex restore backups/monday`;

export function defineRestore(command: Command): void {
  settingOptions(command, backupSettings)
    .argument("<place>", "folder or bucket")
    .option("--identity <file>", "file with a secret key of age, for an encrypted backup")
    .addHelpText("after", restoreHelp)
    .action(async (place: string, { identity = null }: { readonly identity?: string | null }) => {
      const { runRestore } = await import("../backup/restore.ts");
      await runRestore(command, place, identity);
    });
}
