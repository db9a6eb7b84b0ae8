import type { Command } from "commander";
import { settingOptions } from "../options/command.ts";
import { readInteger } from "../options/read.ts";
import { settings } from "../settings/table.ts";

const { data, storage } = settings;

/** `telex migrate` */
export function defineMigrate(command: Command): void {
  defineStatus(command.command("status").description("Print the version of the database"));
  defineStep(command.command("up").description("Migrate the database to the newest version"), "up");
  defineStep(command.command("down").description("Migrate the database back by one version"), "down");
  defineCopy(command.command("copy").description("Copy everything into an empty storage, and compare the two"));
}

const load = async () => await import("../transfer/migrations.ts");

function defineStatus(command: Command): void {
  settingOptions(command, [data, storage]).action(async () => (await load()).showStatus(command));
}

function defineStep(command: Command, direction: "up" | "down"): void {
  settingOptions(command, [data, storage])
    .option("--to <version>", "the version to stop at", readInteger(1))
    .action(async ({ to }: { readonly to?: number }) => (await load()).migrate(command, direction, to));
}

const help = `
Addresses:
  sqlite:<file>      a database; its files are in the folder "blobs" next to it, or in --from-data and --to-data
  mongodb://<host>/<database>
                     a database of MongoDB, with its files
  export:<folder>    what telex export writes

A bucket for --from-blobs or --to-blobs looks like s3:https://s3.example.org/bucket. Its keys are TELEX_BLOBS_ACCESS_KEY and
TELEX_BLOBS_SECRET_KEY. A driver of unstorage looks like unstorage:redis?url=redis://127.0.0.1.

If the command is interrupted, run it again: it continues where it stopped. No server may run on either side.

Example:
  $ telex migrate copy --from sqlite:./telex-data/telex.db --to sqlite:/srv/telex/telex.db`;

interface CopyOptions {
  readonly from: string;
  readonly to: string;
  readonly fromData?: string;
  readonly toData?: string;
  readonly fromBlobs?: string;
  readonly toBlobs?: string;
  readonly skipDamaged?: boolean;
}

function defineCopy(command: Command): void {
  command
    .requiredOption("--from <url>", "storage to copy from")
    .requiredOption("--to <url>", "storage to copy to")
    .option("--from-blobs <place>", "folder, bucket or unstorage driver of the files to copy from")
    .option("--to-blobs <place>", "folder, bucket or unstorage driver of the files to copy to")
    .option("--from-data <folder>", "folder of the files to copy from")
    .option("--to-data <folder>", "folder of the files to copy to")
    .option("--skip-damaged", "leave out files whose bytes are missing or damaged")
    .addHelpText("after", help)
    .action(async ({ from, to, skipDamaged = false, ...places }: CopyOptions) => {
      const { runCopy } = await import("../transfer/copy.ts");
      const { fromData = null, toData = null, fromBlobs = null, toBlobs = null } = places;
      const ends = {
        from: { url: from, data: fromData, blobs: fromBlobs },
        to: { url: to, data: toData, blobs: toBlobs },
      };
      await runCopy(command, { ...ends, skipDamaged });
    });
}
