import { randomBytes } from "node:crypto";
import { operator, TelexError } from "@telex/core";
import type { Account, AccountCreation, LinkKind } from "@telex/core/storage";
import { newAccount } from "../accounts/new-account.ts";
import { usernameKey } from "../credentials/usernames.ts";
import type { Invitations } from "../links/invitations.ts";
import type { AuthDeps } from "../options.ts";
import { isSuspended } from "../sessions/suspended.ts";
import { type Claimed, proposeUsername } from "./claims.ts";
import { ProviderFailure } from "./failure.ts";
import type { ProviderOptions } from "./options.ts";

export interface IdentityDeps extends AuthDeps {
  readonly invitations: Pick<Invitations, "find" | "enter">;
}

/** How a person without an account may get one: with a link, or with null if registration is open. */
type Entitlement = { readonly kind: Extract<LinkKind, "setup" | "invitation">; readonly digest: string } | null;

/** The account that has an identity, or null. */
export const findByIdentity = async (
  { storage }: Pick<AuthDeps, "storage">,
  { issuer, subject }: Pick<Claimed, "issuer" | "subject">,
): Promise<Account | null> => await storage.accounts.findAccount({ issuer, subject });

/** An identity as it is stored. */
export const identityOf = ({ issuer, subject, name }: Claimed, now: number) => ({
  issuer,
  subject,
  name,
  createdAt: now,
});

/** Numbers that are tried after a username that is taken, before random digits. */
const numbers = ["", "-2", "-3", "-4", "-5"];

/** Usernames for a person, the first ones free as far as is known: accounts that were removed keep theirs. */
async function* usernamesFor({ storage }: AuthDeps, claimed: Claimed): AsyncGenerator<string> {
  const proposed = proposeUsername(claimed);
  for (const number of numbers) {
    const username = proposed + number;
    const key = usernameKey(username);
    if (key !== null && (await storage.accounts.findAccount({ usernameKey: key })) === null) yield username;
  }
  for (let attempt = 0; attempt < numbers.length; attempt += 1) yield `${proposed}-${randomBytes(3).toString("hex")}`;
}

/** The person who opens an account, and their right to do so. */
interface Opening {
  readonly claimed: Claimed;
  readonly options: ProviderOptions;
  readonly entitlement: Entitlement;
}

function creationOf(
  { telex }: AuthDeps,
  { claimed, options, entitlement }: Opening,
  username: string,
): AccountCreation {
  const now = telex.clock.now();
  const isSetup = entitlement?.kind === "setup";
  const isAdmin = isSetup || isInAdminGroup(claimed, options);
  const person = { username, ...(claimed.nickname !== null && { nickname: claimed.nickname }) };
  const { user, account } = newAccount(person, now, {
    passwordHash: null,
    passkeys: [],
    role: isAdmin ? "admin" : null,
  });
  return {
    user,
    account: { ...account, identities: [identityOf(claimed, now)] },
    ...(entitlement !== null && { link: { ...entitlement, now } }),
    isFirstAdmin: isSetup,
  };
}

const isInAdminGroup = ({ groups }: Claimed, { adminGroup }: ProviderOptions): boolean =>
  adminGroup !== undefined && groups.includes(adminGroup);

/** Opens an account; of N simultaneous calls for one identity, all get the same one. */
async function open(deps: IdentityDeps, opening: Opening): Promise<Account> {
  for await (const username of usernamesFor(deps, opening.claimed)) {
    const created = await deps.storage.accounts.createAccount(creationOf(deps, opening, username));
    if (created.outcome === "created") {
      deps.telex.security.note("account.opened", { userId: created.account.userId });
      if (opening.entitlement?.kind === "invitation" && created.link !== null)
        await deps.invitations.enter(created.link, created.account.userId);
      return created.account;
    }
    const opened = await findByIdentity(deps, opening.claimed);
    if (opened !== null) return opened;
    if (created.outcome === "link_ended" || created.outcome === "admin_exists") throw new TelexError("link_ended");
    if (created.outcome !== "username_taken") throw new TypeError(`A new account was refused with ${created.outcome}.`);
  }
  throw new TelexError("busy");
}

/** Refuses an account that may not be opened. */
async function assertMayOpen({ telex, rules, invitations }: IdentityDeps, entitlement: Entitlement): Promise<void> {
  if (entitlement?.kind === "setup") return;
  if (entitlement === null) {
    if (rules.registration !== "open") throw new ProviderFailure("unknown");
    return;
  }
  if (rules.registration === "closed") throw new TelexError("registration_closed");
  await invitations.find({ ...entitlement, now: telex.clock.now() });
}

/** Gives and takes the role `admin` as the group says. The last active admin stays: the server would have none. */
async function syncRole({ telex }: AuthDeps, account: Account, claimed: Claimed, options: ProviderOptions) {
  if (options.adminGroup === undefined) return false;
  const role = isInAdminGroup(claimed, options) ? "admin" : null;
  if (account.role === role) return false;
  const { userId } = account;
  try {
    await telex.operator.users.amend(operator, { id: userId, role });
  } catch (error) {
    if (!TelexError.is(error) || error.code !== "last_admin") throw error;
    telex.log.warn("provider.last_admin_kept", { provider: options.id, userId });
    return false;
  }
  return true;
}

/**
 * The account of a person who has signed in at a provider: the one that has the identity, otherwise a new one. Neither an e-mail address nor
 * a name ever leads to an account.
 * @throws TelexError `suspended`, `link_ended`, `registration_closed`, `busy`
 * @throws ProviderFailure `unknown` if no account has the identity, and the settings do not let it open one
 */
export async function accountOfIdentity(deps: IdentityDeps, opening: Opening): Promise<Account> {
  const { claimed, options, entitlement } = opening;
  const existing = await findByIdentity(deps, claimed);
  if (existing === null) {
    await assertMayOpen(deps, entitlement);
    return await open(deps, opening);
  }
  const user = await deps.storage.users.findUser(existing.userId);
  if (user === null) throw new TelexError("invalid_token");
  if (isSuspended(user)) throw new TelexError("suspended");
  const isChanged = await syncRole(deps, existing, claimed, options);
  return isChanged ? ((await findByIdentity(deps, claimed)) ?? existing) : existing;
}
