import type { Command } from "commander";
import { operatorCommand } from "../options/command.ts";
import { InvalidArgumentError } from "commander";
import { type Page, pageOptions, readDuration } from "../options/read.ts";

export function defineToken(command: Command): void {
  defineIssue(command.command("issue"));
  defineList(command.command("list"));
  defineRevoke(command.command("revoke"));
}

const load = async () => await import("../operator/tokens.ts");

const help = `
Scopes:
  chat                everything a user may do
  profile             user information only
  device:<deviceId>   the teleprinter calls of this device only
  admin               what the operator may do, over the network; only the operator can issue it`;

interface IssueOptions {
  readonly user: string;
  readonly scope: readonly string[];
  readonly name?: string;
  /** Milliseconds; Infinity never expires. */
  readonly expires?: number;
}

function defineIssue(command: Command): void {
  operatorCommand(command, "Issue an access token; it is printed only once")
    .requiredOption("--user <id>", "owner of the token")
    .requiredOption(
      "--scope <scope>",
      "what the token may be used for, see below; can be given several times",
      gatherScopes,
    )
    .option("--name <name>", "name of the token in its owner's list; at most 64 characters")
    .option("--expires <time>", "30s, 15m, 12h, 30d, or never [90d]", readExpiry)
    .addHelpText("after", help)
    .action(async ({ user, scope, name, expires }: IssueOptions) => {
      const life = expires === Infinity ? null : expires;
      await (await load()).issueToken(command, { userId: user, scopes: [...scope], name, life });
    });
}

/** Only the form of a scope. The server decides whether it may be issued. */
function gatherScopes(written: string, before: readonly string[] = []): readonly string[] {
  if (/^(chat|profile|admin|device:[^,\s]+)$/.test(written)) return [...before, written];
  throw new InvalidArgumentError(
    "It must be chat, profile, device:<deviceId> or admin. For several scopes, give the option several times.",
  );
}

function readExpiry(written: string): number {
  if (written === "never") return Infinity;
  try {
    return readDuration(written);
  } catch {
    throw new InvalidArgumentError("It must be a length of time such as 30s, 15m, 24h or 90d, or never.");
  }
}

interface ListOptions extends Page {
  readonly user?: string;
}

function defineList(command: Command): void {
  const list = operatorCommand(command, "List tokens by id, without the tokens themselves");
  pageOptions(list.option("--user <id>", "only those of one user"), "tokens").action(
    async ({ user, after, limit }: ListOptions) => (await load()).listTokens(command, { userId: user, after, limit }),
  );
}

function defineRevoke(command: Command): void {
  operatorCommand(command, "Revoke a token; its connections end within a second")
    .argument("<token>", "the token itself or its id; - reads it from stdin")
    .action(async (token: string) => (await load()).revokeToken(command, token));
}
