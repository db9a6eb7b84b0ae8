import type { Command } from "commander";
import { clientSettings, commonOf, settingOptions } from "../options/command.ts";
import { serverOf } from "../client/server.ts";
import { readDuration } from "../options/read.ts";

const help = `
The server is not ready any more (/readyz answers 503), closes its sockets in groups over this time, and passes its accounts of external
networks to the other servers. It still answers calls, until you stop or restart it. On its own machine, the signal SIGUSR2 does the same.
The command needs a token with the scope admin.`;

/** `telex drain` */
export function defineDrain(command: Command): void {
  settingOptions(command, clientSettings)
    .argument("[server]", "name of the server (default: the one that answers)")
    .option("--over <time>", "time over which sockets are closed", readDuration, 30_000)
    .addHelpText("after", help)
    .action(async (server: string | undefined, { over }: { readonly over: number }) => {
      const { drainServer } = await import("../status/drain.ts");
      await drainServer(await serverOf(command), { server, over, json: commonOf(command).json === true });
    });
}
