import type { Command } from "commander";
import { operatorCommand } from "../options/command.ts";
import { confirmed } from "../options/confirm.ts";
import { gather, type Page, pageOptions, readChoices } from "../options/read.ts";

/** `telex client` */
export function defineClient(command: Command): void {
  defineAdd(command.command("add"));
  defineList(command.command("list"));
  defineRemove(command.command("remove"));
}

const load = async () => await import("../operator/clients.ts");

const readGrants = readChoices("Grants", ["code", "refresh", "device"]);
const readScopes = readChoices("Scopes", ["openid", "profile", "chat", "device"]);

interface AddOptions {
  readonly redirect?: readonly string[];
  readonly grants?: ReturnType<typeof readGrants>;
  readonly scopes?: ReturnType<typeof readScopes>;
  readonly secret?: boolean;
}

const addHelp = `
Prints the id of the application, and with --secret a secret that is shown only once. Give both to the application, with the address of
this server: it finds everything else below /.well-known/.

Examples:
  $ telex client add Wiki --redirect https://wiki.example/callback --secret
  $ telex client add "Tea timer" --redirect http://127.0.0.1/callback --scopes openid,chat
  $ telex client add Printer --scopes device                   a program that shows a code`;

function clientOf({ redirect = [], secret: hasSecret = false, grants, scopes = ["openid", "profile"] }: AddOptions) {
  const usual = redirect.length > 0 ? (["code", "refresh"] as const) : (["device", "refresh"] as const);
  return { redirectUris: [...redirect], hasSecret, grants: [...(grants ?? usual)], scopes: [...scopes] };
}

function defineAdd(command: Command): void {
  operatorCommand(command, "Register an application with which people can sign in")
    .argument("<name>", "name that people see, 1 to 64 characters")
    .option("--redirect <url>", "address to which the browser returns; can be given several times", gather)
    .option(
      "--grants <list>",
      "code, refresh, device [with --redirect code,refresh; otherwise device,refresh]",
      readGrants,
    )
    .option("--scopes <list>", "openid, profile, chat, device [openid,profile]", readScopes)
    .option("--secret", "for an application on a server, which can keep a secret")
    .addHelpText("after", addHelp)
    .action(async (name: string, options: AddOptions) =>
      (await load()).addClient(command, { name, ...clientOf(options) }),
    );
}

function defineList(command: Command): void {
  pageOptions(operatorCommand(command, "List registered applications by id"), "applications").action(
    async (page: Page) => (await load()).listClients(command, page),
  );
}

const removeHelp = `
Revokes everything that people have granted to it: the server then rejects its tokens.

Example:
  $ telex client remove 3f8a0c5d9e7b1a2c4d6e8f01`;

function defineRemove(command: Command): void {
  confirmed(operatorCommand(command, "Remove an application").argument("<id>", "id of the application"))
    .addHelpText("after", removeHelp)
    .action(async (id: string) => (await load()).removeClient(command, id));
}
