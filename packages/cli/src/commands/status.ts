import type { Command } from "commander";
import { clientSettings, commonOf, settingOptions } from "../options/command.ts";
import { serverOf } from "../client/server.ts";
import { readDuration } from "../options/read.ts";

const help = `
The command needs a token with the scope admin.`;

/** `telex status` */
export function defineStatus(command: Command): void {
  settingOptions(command, clientSettings)
    .addHelpText("after", help)
    .action(async () => {
      const { showStatus } = await import("../status/status.ts");
      await showStatus(await serverOf(command), commonOf(command).json === true);
    });
}

const topHelp = `
The command needs a token with the scope admin. q or Ctrl-C ends it. With --json, or if stdout is not a terminal, it prints one line of
JSON for each interval.`;

interface TopOptions {
  readonly interval: number;
  readonly for?: number;
}

/** `telex top` */
export function defineTop(command: Command): void {
  settingOptions(command, clientSettings)
    .option("--interval <time>", "time between two requests", readDuration, 1000)
    .option("--for <time>", "stop after this time", readDuration)
    .addHelpText("after", topHelp)
    .action(async ({ interval, for: duration }: TopOptions) => {
      const { watchStatus } = await import("../status/top.ts");
      const json = commonOf(command).json === true || !process.stdout.isTTY;
      await watchStatus(await serverOf(command), { interval, duration: duration ?? null, json });
    });
}

const drainHelp = `
The server is no longer ready (/readyz answers 503), closes its sockets in groups over this time, and passes its accounts of external
networks to the other servers. It still answers calls, until you stop or restart it. On its own machine, the signal SIGUSR2 does the same.
The command needs a token with the scope admin.`;

/** `telex drain` */
export function defineDrain(command: Command): void {
  settingOptions(command, clientSettings)
    .argument("[server]", "name of the server (default: the one that answers)")
    .option("--over <time>", "time over which sockets are closed", readDuration, 30_000)
    .addHelpText("after", drainHelp)
    .action(async (server: string | undefined, { over }: { readonly over: number }) => {
      const { drainServer } = await import("../status/drain.ts");
      await drainServer(await serverOf(command), { server, over, json: commonOf(command).json === true });
    });
}
