import type { Command } from "commander";
import { operatorCommand } from "../command.ts";

/** `telex bot` */
export function defineBot(command: Command): void {
  const list = command.command("list");
  operatorCommand(list, "List the accounts of external networks").action(async () => {
    const { listBots } = await import("../operator/bots.ts");
    await listBots(list);
  });
}
