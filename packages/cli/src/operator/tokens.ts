import { text } from "node:stream/consumers";
import type { TokenView } from "@telex/core";
import type { OperatorClient } from "@telex/http/client";
import type { Command } from "commander";
import { talkOf } from "../options/command.ts";
import { explained } from "../errors/explain.ts";
import { print, printRows } from "../terminal/output.ts";
import type { Talk } from "../terminal/talk.ts";
import { operate } from "./operate.ts";

/** The token that `telex token issue` issues. */
export interface TokenIssue {
  readonly userId: string;
  readonly scopes: string[];
  readonly name?: string | undefined;
  /** Milliseconds; null never expires; undefined takes the default. */
  readonly life: number | null | undefined;
}

/** `telex token issue`. Stdout contains only the token, so that a shell can store it in a variable. */
export async function issueToken(command: Command, token: TokenIssue): Promise<void> {
  const tell = (issued: Issued): void => showIssued(issued, talkOf(command));
  await operate(command, async ({ tokens }) => await tokens.issue(token), tell);
}

type Issued = TokenView & { readonly token: string };

const expiry = ({ expiresAt }: TokenView): string => (expiresAt === null ? "without an end" : `until ${expiresAt}`);

function showIssued(issued: Issued, talk: Talk): void {
  print(issued.token);
  const about = `Token ${issued.id} of user ${issued.userId}, for ${issued.scopes.join(", ")}, ${expiry(issued)}`;
  talk.done(`${about}. It is not shown again.`);
}

const showList = (tokens: readonly TokenView[]): void =>
  printRows(tokens, {
    id: ({ id }) => id,
    user: ({ userId }) => userId,
    name: ({ name }) => name,
    scopes: ({ scopes }) => scopes.join(" "),
    created: ({ createdAt }) => createdAt,
    expires: ({ expiresAt }) => expiresAt ?? "never",
    "last used": ({ lastUsedAt }) => lastUsedAt ?? "never",
    revoked: ({ revoked }) => revoked,
  });

/** The tokens that `telex token list` lists. */
export interface TokenPage {
  readonly userId: string | undefined;
  readonly after: string | undefined;
  readonly limit: number;
}

/** `telex token list` */
export async function listTokens(command: Command, page: TokenPage): Promise<void> {
  await operate(command, async ({ tokens }) => await tokens.list(page), showList);
}

/** `telex token revoke` */
export async function revokeToken(command: Command, token: string): Promise<void> {
  const named = token === "-" ? (await text(process.stdin)).trim() : token;
  const tell = ({ id, userId }: TokenView): void => talkOf(command).done(`Token ${id} of user ${userId} is revoked.`);
  // A token itself must not appear in the message.
  const missing = `There is no token${/^\d+$/.test(named) ? ` ${named}` : " like this"}. "telex token list" shows all tokens.`;
  const revoke = ({ tokens }: OperatorClient): Promise<TokenView> =>
    explained(tokens.revoke({ token: named }), "not_found", missing);
  await operate(command, revoke, tell);
}
