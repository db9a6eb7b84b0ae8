import type { Command } from "commander";
import { configOf, placeSettings, settingOptions } from "../options/command.ts";
import { settings } from "../settings/table.ts";
import { namedPlace } from "../storage/mongo.ts";

const { data, storage } = settings;

const skipDamaged = ["--skip-damaged", "leave out files whose bytes are missing or damaged"] as const;

const load = async () => {
  const [{ runCopy }, { exportUrl }] = await Promise.all([
    import("../transfer/copy.ts"),
    import("../transfer/address.ts"),
  ]);
  return { runCopy, exportUrl };
};

async function addressOf(command: Command) {
  const config = await configOf(command);
  return { url: config.get(storage), data: config.get(data), blobs: namedPlace(config) };
}

interface Options {
  readonly skipDamaged?: boolean;
}

/** `telex export` */
export function defineExport(command: Command): void {
  settingOptions(command, placeSettings)
    .argument("<folder>", "new folder, or the folder of an interrupted export")
    .option(...skipDamaged)
    .action(async (folder: string, options: Options) => {
      const { runCopy, exportUrl } = await load();
      const to = { url: exportUrl(folder), data: null, blobs: null };
      await runCopy(command, { from: await addressOf(command), to, skipDamaged: options.skipDamaged ?? false });
    });
}

/** `telex import` */
export function defineImport(command: Command): void {
  settingOptions(command, placeSettings)
    .argument("<folder>", "folder that telex export wrote")
    .option(...skipDamaged)
    .action(async (folder: string, options: Options) => {
      const { runCopy, exportUrl } = await load();
      const from = { url: exportUrl(folder), data: null, blobs: null };
      await runCopy(command, { from, to: await addressOf(command), skipDamaged: options.skipDamaged ?? false });
    });
}
