import { text } from "node:stream/consumers";
import type { Auth } from "@telex/auth-server";
import type { OperatorClient } from "@telex/http/client";
import type { Command } from "commander";
import { UsageError } from "../errors/errors.ts";
import { explained } from "../errors/explain.ts";
import { canAsk, printResult, talkOf } from "../options/command.ts";
import { askSecret } from "../profiles/ask-secret.ts";
import type { Page } from "../options/read.ts";
import { print, printable, printFields, printRows } from "../terminal/output.ts";
import { inAccounts, inLocalAccounts } from "./in-accounts.ts";
import { operate } from "./operate.ts";

/** The invitation of `telex user invite`. */
export interface Invite {
  readonly nickname: string | undefined;
  readonly groups: readonly string[];
  readonly uses: number;
  /** Milliseconds. */
  readonly life: number;
}

/** `telex user invite`. Stdout contains only the link. */
export async function invite(command: Command, { life, groups, ...invitation }: Invite): Promise<void> {
  const input = { ...invitation, groups: [...groups], life: Math.ceil(life / 1000) };
  const made = await inAccounts(command, (accounts) => accounts.invite(input));
  printResult(command, made, ({ url, expiresAt }) => {
    print(url);
    talkOf(command).done(`The person who opens the link chooses a username and a password, until ${expiresAt}.`);
  });
}

/** A password that is typed twice on a terminal, or the first line of stdin. */
async function readPassword(command: Command): Promise<string> {
  if (!canAsk(command)) return (await text(process.stdin)).split(/\r?\n/, 1)[0] ?? "";
  const password = await askSecret("New password (not shown): ");
  if ((await askSecret("Again: ")) !== password) throw new UsageError("The two passwords differ. Nothing was changed.");
  return password;
}

const showAccount = ({ id, username }: { readonly id: number; readonly username: string }): void =>
  printFields({ id, username });

/** `telex user passwd` */
export async function setPassword(command: Command, id: number, username: string | undefined): Promise<void> {
  const changed = await inLocalAccounts(command, "user passwd", async ({ services: { members } }) => {
    const password = await readPassword(command);
    if (username === undefined) return await members.setPassword(id, password);
    return await members.open({ user: id, username, password, role: null });
  });
  printResult(command, { id, username: changed.username }, (shown) => {
    showAccount(shown);
    talkOf(command).done("The password is set. Browsers that were signed in are signed out.");
  });
}

/** `telex user add --admin` */
export async function addAdmin(command: Command, nickname: string, username: string): Promise<void> {
  const open = async ({ services: { members } }: Pick<Auth, "services">) => {
    const password = await readPassword(command);
    return await members.open({ user: { nickname }, username, password, role: "admin" });
  };
  const added = await inLocalAccounts(command, "user add --admin", open, "add");
  printResult(command, { id: added.userId, username: added.username, role: added.role }, showAccount);
}

/** `telex user role` */
export async function setRole(
  command: Command,
  id: number,
  { role, force }: { readonly role: "admin" | null; readonly force: boolean },
): Promise<void> {
  const change = async ({ users }: OperatorClient) => {
    await users.amend({ id, role, ...(force && { force }) });
    return { id, role };
  };
  const done = role === null ? `User ${id} is not an admin.` : `User ${id} is an admin.`;
  await operate(command, change, () => talkOf(command).done(done));
}

/** `telex user unlink` */
export async function unlink(command: Command, id: number, issuer: string): Promise<void> {
  await explained(
    inAccounts(command, (accounts) => accounts.unlink({ id, issuer })),
    "not_found",
    `User ${id} has no account at ${printable(issuer)}.`,
  );
  printResult(command, { id, issuer, unlinked: true }, () =>
    talkOf(command).done(`User ${id} cannot sign in with ${issuer}.`),
  );
}

/** `telex user accounts` */
export async function listAccounts(command: Command, page: Page): Promise<void> {
  const list = await inAccounts(command, (accounts) => accounts.accounts(page));
  printResult(command, list, (accounts) =>
    printRows(accounts, { id: ({ id }) => id, username: ({ username }) => username, role: ({ role }) => role }),
  );
}

/** `telex session list` */
export async function listSessions(command: Command, id: number): Promise<void> {
  const { list } = await inAccounts(command, (accounts) => accounts.sessions({ id }));
  printResult(command, list, (sessions) =>
    printRows(sessions, {
      id: (session) => session.id,
      browser: ({ browser }) => browser,
      address: ({ address }) => address,
      "last used": ({ lastUsed }) => lastUsed,
    }),
  );
}

/** `telex session end` */
export async function endSessions(command: Command, id: number, session: string | undefined): Promise<void> {
  const ended = await explained(
    inAccounts(command, (accounts) => accounts.endSessions({ id, session })),
    "not_found",
    `User ${id} has no session "${printable(session ?? "")}". "telex session list ${id}" shows them all.`,
  );
  printResult(command, ended, (result) => talkOf(command).done(`${result.ended} sessions of user ${id} have ended.`));
}
