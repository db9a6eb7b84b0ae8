import { TelexError } from "@telex/core";
import type { Account, LinkRecord, LinkUse } from "@telex/core/storage";
import { isSecretShaped } from "../credentials/secrets.ts";
import type { Invitations, Invited } from "../links/invitations.ts";
import { readLink } from "../links/links.ts";
import type { CreationOptions } from "../passkeys/options.ts";
import type { AuthDeps } from "../options.ts";
import { keyOfUsername, newAccount, type NewPerson } from "./new-account.ts";
import type { NewWay, NewWays } from "./new-way.ts";

/** A person who opens an account. */
interface Opening extends NewPerson, NewWay {}

interface OpenAccountDeps extends AuthDeps {
  readonly newWays: NewWays;
  readonly invitations: Pick<Invitations, "find" | "enter">;
}

/** Refusals because the username was taken, after which a link ends: it must not be a way to probe usernames. */
const mostMisses = 20;

interface Conditions {
  readonly role: "admin" | null;
  /** The secret of the link; null if no link is needed. */
  readonly secret: string | null;
  readonly link?: LinkUse;
  readonly isFirstAdmin?: boolean;
}

async function create(
  { telex, storage, newWays }: OpenAccountDeps,
  opening: Opening,
  { role, secret, ...conditions }: Conditions,
): Promise<{ readonly account: Account; readonly link: LinkRecord | null }> {
  const { username } = opening;
  const way = await newWays.accept(opening, { use: "open", username, secret });
  const creation = { ...newAccount(opening, telex.clock.now(), { ...way, role }), ...conditions };
  const created = await storage.accounts.createAccount(creation);
  if (created.outcome === "created") return created;
  if (created.outcome === "passkey_taken") throw new TelexError("invalid_request", { reason: "passkey_taken" });
  // A set-up link of another server is as good as an ended one once there is an admin.
  if (created.outcome === "link_ended" || created.outcome === "admin_exists") throw new TelexError("link_ended");
  if (created.outcome === "username_taken") throw new TelexError("username_taken");
  throw new TypeError(`A new account was refused with ${created.outcome}.`);
}

/** Opens accounts. Each function creates exactly one for one use of its link. */
export function createOpenAccount(deps: OpenAccountDeps) {
  const { telex, rules, storage, invitations } = deps;
  const use = (kind: "setup" | "invitation", secret: string): LinkUse => {
    const digest = readLink(secret);
    return { digest, kind, now: telex.clock.now(), mostMisses };
  };
  const findSetup = async (secret: string): Promise<LinkUse> => {
    const link = use("setup", secret);
    if ((await storage.accounts.findLink(link)) === null) throw new TelexError("link_ended");
    return link;
  };
  const assertOpen = (): void => {
    if (rules.registration !== "open") throw new TelexError("registration_closed");
  };
  /** Refuses a taken username, for callers who would also learn this by opening an account. */
  const assertFree = async (secret: string | null, username: string): Promise<void> => {
    if (secret === null ? rules.registration !== "open" : !isSecretShaped("link", secret)) return;
    const account = newAccount({ username }, telex.clock.now(), { passwordHash: null, passkeys: [], role: null });
    const link = secret === null ? {} : { link: use("invitation", secret) };
    const { outcome } = await storage.accounts.createAccount({ ...account, ...link, isTrial: true });
    if (outcome === "username_taken") throw new TelexError("username_taken");
  };
  return {
    /** Checks that the installation is open to new accounts. Throws `registration_closed`. */
    assertOpen,
    /** Looks at an invitation without using it. Throws `link_ended`, `registration_closed`. */
    async look(secret: string): Promise<Invited> {
      if (rules.registration === "closed") throw new TelexError("registration_closed");
      return await invitations.find(use("invitation", secret));
    },
    /** Looks at a set-up link without using it. Throws `link_ended`. */
    async assertSetup(secret: string): Promise<void> {
      await findSetup(secret);
    },
    /**
     * Options for a passkey with which an account is opened. They say nothing about the link.
     * @throws TelexError `not_supported`; `username_taken`, under the same limits as when joining, so that people learn it before they make a passkey
     */
    async passkeyOptions(secret: string | null, username: string): Promise<CreationOptions> {
      const options = await deps.newWays.options({ use: "open", secret }, { username, passkeys: [] });
      await assertFree(secret, username);
      return options;
    },
    /** Opens the account of the first admin. */
    async setup({ secret, ...opening }: Opening & { readonly secret: string }): Promise<Account> {
      keyOfUsername(opening.username);
      const link = await findSetup(secret);
      return (await create(deps, opening, { role: "admin", secret, link, isFirstAdmin: true })).account;
    },
    /** Opens an account with an invitation, and enters its rooms. */
    async join({ secret, ...opening }: Opening & { readonly secret: string }): Promise<Account> {
      if (rules.registration === "closed") throw new TelexError("registration_closed");
      keyOfUsername(opening.username);
      const link = use("invitation", secret);
      const { nickname } = await invitations.find(link);
      const person = { ...opening, nickname: opening.nickname ?? nickname };
      const created = await create(deps, person, { role: null, secret, link });
      if (created.link !== null) await invitations.enter(created.link, created.account.userId);
      return created.account;
    },
    /** Opens an account if registration is open. */
    async register(opening: Opening): Promise<Account> {
      assertOpen();
      keyOfUsername(opening.username);
      return (await create(deps, opening, { role: null, secret: null })).account;
    },
  };
}
