import { Option } from "commander";
import type { Command } from "commander";
import { operatorCommand, storageSettings } from "../options/command.ts";
import { readInteger } from "../options/read.ts";
import { settings } from "../settings/table.ts";

/** `telex quota` */
export function defineQuota(command: Command): void {
  defineSet(command.command("set"));
  defineShow(command.command("show"));
}

const load = async () => await import("../operator/quota.ts");

interface SetOptions {
  readonly user: string;
  readonly unit: "count" | "token";
  readonly max: number;
  readonly period: "daily" | "weekly" | "monthly";
}

function defineSet(command: Command): void {
  operatorCommand(command, "Set the quota of a user")
    .requiredOption("--user <id>", "whose quota it is")
    .addOption(new Option("--unit <unit>", "replies or tokens").choices(["count", "token"]).makeOptionMandatory())
    .requiredOption("--max <n>", "how many in a period", readInteger(0))
    .addOption(
      new Option("--period <period>", "how long a period is")
        .choices(["daily", "weekly", "monthly"])
        .makeOptionMandatory(),
    )
    .action(async ({ user, unit, max, period }: SetOptions) =>
      (await load()).setQuota(command, { userId: user, unit, max, period }),
    );
}

function defineShow(command: Command): void {
  const defaults = [settings.quotaUnit, settings.quotaMax, settings.quotaPeriod];
  operatorCommand(command, "Show a user's quota in this period", [...storageSettings, ...defaults])
    .requiredOption("--user <id>", "whose quota it is")
    .option("--history [days]", "use on each of the last days (default 30)", readInteger(1, 3660))
    .action(async ({ user, history }: { readonly user: string; readonly history?: number | true }) => {
      const { showQuota, showUsage } = await load();
      if (history === undefined) await showQuota(command, user);
      else await showUsage(command, user, history === true ? 30 : history);
    });
}
