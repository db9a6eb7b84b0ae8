import type { Command } from "commander";
import { talkOf } from "../command.ts";
import { printTable } from "../output.ts";
import { operate } from "./operate.ts";

/** `telex bot list` */
export async function listBots(command: Command): Promise<void> {
  await operate(
    command,
    async ({ bots }) => await bots.list(),
    (bots, { isRemote }) => {
      printTable(
        ["account", "network", "gateway", "rooms", "connected", "online"],
        bots.map(({ account, network, gateway, groupTypes, connected, online }) => [
          account,
          network,
          gateway,
          groupTypes.join(" "),
          connected,
          online,
        ]),
      );
      if (!isRemote) talkOf(command).note("Accounts are known to the running server alone: ask it with --url.");
    },
  );
}
