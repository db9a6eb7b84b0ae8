import type { Command } from "commander";
import { operatorCommand } from "../options/command.ts";
import { readInteger } from "../options/read.ts";

/** `telex session` */
export function defineSession(command: Command): void {
  defineList(command.command("list"));
  defineEnd(command.command("end"));
}

const load = async () => await import("../operator/accounts.ts");

const readId = readInteger(1);

function defineList(command: Command): void {
  operatorCommand(command, "List the browsers that are signed in to an account")
    .argument("<user>", "user id", readId)
    .action(async (user: number) => {
      await (await load()).listSessions(command, user);
    });
}

function defineEnd(command: Command): void {
  operatorCommand(command, "Sign a browser out, or all browsers of an account; sockets are closed within a second")
    .argument("<user>", "user id", readId)
    .argument("[session]", "id of the session; all without it")
    .action(async (user: number, session: string | undefined) => {
      await (await load()).endSessions(command, user, session);
    });
}
