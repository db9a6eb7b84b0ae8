import type { Command } from "commander";
import { configOf, printResult, settingOptions } from "../options/command.ts";
import { printTable } from "../terminal/output.ts";
import { allSettings } from "../settings/table.ts";
import type { Config } from "../settings/load.ts";

const help = `
Every setting has one name in three spellings: rateLimits in telex.config.{ts,mjs,json},
TELEX_RATE_LIMITS in the environment, --rate-limits as a flag; a later one overrides an earlier one.`;

/** `telex config` */
export function defineConfig(command: Command): void {
  settingOptions(command, allSettings)
    .addHelpText("after", help)
    .action(async () => {
      const config = await configOf(command);
      printResult(command, asObject(config), () => show(config));
    });
}

function show(config: Config): void {
  const rows = config.entries().map(({ name, shown, origin }) => [name, shown, origin]);
  printTable(["setting", "value", "from"], rows);
}

const asObject = (config: Config): Record<string, unknown> =>
  Object.fromEntries(config.entries().map(({ name, value, origin }) => [name, { value, origin }]));
