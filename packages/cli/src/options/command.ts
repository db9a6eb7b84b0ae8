import { Option } from "commander";
import type { Command } from "commander";
import { printJson } from "../terminal/output.ts";
import type { CommonOptions } from "../terminal/common-options.ts";
import type { Config } from "../settings/load.ts";
import { flagOf } from "../settings/setting.ts";
import { settings } from "../settings/table.ts";
import type { Setting } from "../settings/setting.ts";
import { createTalk } from "../terminal/talk.ts";
import type { Talk } from "../terminal/talk.ts";

/** Adds the flags of settings to a command. */
export function settingOptions(command: Command, chosen: readonly Setting<unknown>[]): Command {
  for (const setting of chosen) command.addOption(optionOf(setting));
  return command;
}

function optionOf(setting: Setting<unknown>): Option {
  const { name, kind, description } = setting;
  const option = new Option(`${flagOf(name)} ${kind.placeholder}`, description);
  // Only for help and completion. The kind itself checks the value, from a flag as from a file.
  if (kind.choices !== undefined) option.argChoices = [...kind.choices];
  const shown = defaultOf(setting);
  if (shown !== "") option.defaultValueDescription = shown;
  return option;
}

const defaultOf = <T>({ fallback, kind }: Setting<T>): string => kind.show(fallback(readDefault));

const readDefault = <T>(setting: Setting<T>): T => setting.fallback(readDefault);

/** The values of the options that every command has. */
export const commonOf = (command: Command): CommonOptions => command.optsWithGlobals<CommonOptions>();

/** The messages of a command, as verbose as its options say. */
export const talkOf = (command: Command): Talk => createTalk(commonOf(command));

/** True if a person can answer questions of the command. */
export const canAsk = (command: Command): boolean =>
  process.stdin.isTTY && process.stdout.isTTY && commonOf(command).json !== true;

/** Prints the result of a command: as JSON with `--json`, otherwise for a person. */
export function printResult<T>(command: Command, result: T, show: (result: T) => void): void {
  if (commonOf(command).json === true) printJson(result);
  else show(result);
}

/**
 * The effective settings of a command. Prints their warnings.
 * @throws UsageError for invalid settings
 */
export async function configOf(command: Command): Promise<Config> {
  const flags = command.optsWithGlobals<Record<string, unknown>>();
  const { loadConfig } = await import("../settings/load.ts");
  const config = await loadConfig({ cwd: process.cwd(), env: process.env, flags, file: commonOf(command).config });
  const talk = talkOf(command);
  for (const warning of config.warnings) talk.warn(warning);
  return config;
}

/** Settings that name the places of records and files. */
export const placeSettings = [
  settings.data,
  settings.storage,
  settings.blobs,
  settings.blobsAccessKey,
  settings.blobsSecretKey,
] as const;

/** Settings of commands that open the storage. */
export const storageSettings = [...placeSettings, settings.timeZone] as const;

/** Settings of commands that call a server. */
export const clientSettings = [settings.url, settings.token, settings.tokenFile, settings.profile] as const;

const operatorHelp = `
With --url or --profile, and a token with the scope admin, this command works on a running server, otherwise on the storage.`;

/** Defines a command of the operator, which works on the storage or on a running server. */
export const operatorCommand = (
  command: Command,
  description: string,
  storage: readonly Setting<unknown>[] = storageSettings,
): Command =>
  settingOptions(command.description(description), [...clientSettings, ...storage]).addHelpText("after", operatorHelp);
