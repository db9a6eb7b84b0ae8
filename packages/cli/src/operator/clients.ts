import type { AccountClient } from "@telex/auth-server/client";
import type { Command } from "commander";
import { printResult, talkOf } from "../options/command.ts";
import { explained } from "../errors/explain.ts";
import { confirm } from "../options/confirm.ts";
import type { Page } from "../options/read.ts";
import { printable, printFields, printRows } from "../terminal/output.ts";
import { inAccounts } from "./in-accounts.ts";

type Admin = AccountClient["admin"];

/** `telex client add` */
export async function addClient(command: Command, client: Parameters<Admin["addClient"]>[0]): Promise<void> {
  const added = await inAccounts(command, (accounts) => accounts.addClient(client));
  printResult(command, added, ({ id, secret }) => {
    printFields({ id, ...(secret !== null && { secret }) });
    const reminder = secret === null ? "" : " Keep the secret: it is not shown again.";
    talkOf(command).done(`People can sign in to ${printable(added.name)}.${reminder}`);
  });
}

/** `telex client list` */
export async function listClients(command: Command, page: Page): Promise<void> {
  const clients = await inAccounts(command, (accounts) => accounts.clients(page));
  printResult(command, clients, (all) =>
    printRows(all, {
      id: ({ id }) => id,
      name: ({ name }) => name,
      grants: (client) => client.grants.join(","),
      scopes: (client) => client.scopes.join(","),
      secret: ({ hasSecret }) => hasSecret,
      "redirects to": ({ redirectUris }) => redirectUris.join(" "),
    }),
  );
}

/** `telex client remove` */
export async function removeClient(command: Command, id: string): Promise<void> {
  await confirm(command, `Remove the application ${printable(id)}, and end all that people have granted to it?`);
  const missing = `There is no application "${printable(id)}". "telex client list" shows all applications.`;
  await explained(
    inAccounts(command, (accounts) => accounts.removeClient({ id })),
    "not_found",
    missing,
  );
  printResult(command, { id, removed: true }, () => talkOf(command).done(`Application ${printable(id)} is removed.`));
}
