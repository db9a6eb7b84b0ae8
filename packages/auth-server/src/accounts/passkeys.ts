import { TelexError } from "@telex/core";
import type { CallRequest } from "@telex/core/contract";
import type { Account, Passkey } from "@telex/core/storage";
import type { AuthDeps } from "../options.ts";
import type { Ceremonies, Used } from "../passkeys/ceremonies.ts";
import type { CreationOptions, RequestOptions } from "../passkeys/options.ts";
import { relyingPartyOf } from "../passkeys/relying-party.ts";
import type { CreatedPasskey, UsedPasskey } from "../passkeys/responses.ts";
import type { Current } from "../sessions/sessions.ts";
import { isSuspended } from "../sessions/suspended.ts";
import { noteRefused } from "../throttle/note-refused.ts";
import { amendRepeatedly } from "./amend-repeatedly.ts";
import { hasWay } from "./ways.ts";

interface PasskeysDeps extends Pick<AuthDeps, "telex" | "storage" | "issuers" | "baseUrl"> {
  readonly ceremonies: Ceremonies;
}

/** Maximum passkeys of one account. */
const most = 20;

const unknown = (): TelexError => new TelexError("invalid_request", { reason: "passkey_unknown" });

const purposes = {
  signIn: "signIn",
  add: ({ session }: Current): string => `add ${session.sessionId}`,
  confirm: ({ session }: Current): string => `confirm ${session.sessionId}`,
};

const withPasskey = ({ passkeys }: Account, id: string, change: (passkey: Passkey) => Passkey): Passkey[] =>
  passkeys.map((one) => (one.credentialId === id ? change(one) : one));

function find({ passkeys }: Account, id: string): Passkey {
  const passkey = passkeys.find(({ credentialId }) => credentialId === id);
  if (passkey === undefined) throw new TelexError("not_found");
  return passkey;
}

function assertRoom({ passkeys }: Account): void {
  if (passkeys.length >= most) throw new TelexError("limit_reached", { params: { max: most } });
}

/** Signing in and confirming with a passkey. Wrong ones are not counted: a signature cannot be guessed. */
function createEntrance(deps: PasskeysDeps) {
  const { telex, storage, ceremonies } = deps;
  /**
   * Records a use. If a passkey counts its signatures, the count must have increased: otherwise there may be a copy of it, and the one with the
   * lower count is refused.
   */
  const note = async ({ account: { userId }, credentialId, counter }: Used, request: CallRequest): Promise<Account> =>
    await amendRepeatedly(deps, userId, (account) => {
      const passkey = account.passkeys.find((one) => one.credentialId === credentialId);
      if (passkey === undefined) throw unknown();
      const isCounted = counter > passkey.counter || (counter === 0 && passkey.counter === 0);
      if (!isCounted) {
        noteRefused(telex, userId, request);
        throw new TelexError("invalid_request", { reason: "passkey_refused" });
      }
      const lastUsedAt = telex.clock.now();
      return { change: { passkeys: withPasskey(account, credentialId, (one) => ({ ...one, counter, lastUsedAt })) } };
    });
  return {
    /** Options for signing in: the browser offers the passkeys that it has for this server. Throws `not_supported`. */
    signInOptions: async (): Promise<RequestOptions> => await ceremonies.request(purposes.signIn, []),
    /** The account that a passkey opens. Throws `invalid_request`, `not_supported`, `suspended`, `busy`. */
    async signIn(passkey: UsedPasskey, request: CallRequest): Promise<Account> {
      const used = await ceremonies.use(purposes.signIn, passkey, request);
      const user = await storage.users.findUser(used.account.userId);
      if (user === null) throw unknown();
      if (isSuspended(user)) throw new TelexError("suspended");
      return await note(used, request);
    },
    /** Options for confirming who is signed in. Throws `not_supported`, and `not_found` without a passkey. */
    async confirmOptions(current: Current): Promise<RequestOptions> {
      const { passkeys } = current.account;
      if (passkeys.length === 0) throw new TelexError("not_found");
      return await ceremonies.request(purposes.confirm(current), passkeys);
    },
    /** Checks a passkey of the account that is signed in. Throws `not_confirmed`, `invalid_request`, `not_supported`, `busy`. */
    async confirm(current: Current, passkey: UsedPasskey, request: CallRequest): Promise<void> {
      const used = await ceremonies.use(purposes.confirm(current), passkey, request);
      if (used.account.userId !== current.account.userId) throw new TelexError("not_confirmed");
      await note(used, request);
    },
  };
}

/** The passkeys of one account, which its person changes. */
function createOwnPasskeys(deps: PasskeysDeps) {
  const { ceremonies } = deps;
  const amend = async ({ account: { userId } }: Current, change: (account: Account) => Passkey[]): Promise<Account> =>
    await amendRepeatedly(deps, userId, (account) => ({ change: { passkeys: change(account) } }));
  return {
    /** Options for another passkey. Throws `limit_reached`, `not_supported`. */
    async addOptions(current: Current): Promise<CreationOptions> {
      assertRoom(current.account);
      return await ceremonies.creation(purposes.add(current), current.account);
    },
    /** Adds a passkey. Throws `invalid_request`, `limit_reached`, `not_supported`, `busy`. */
    async add(current: Current, created: CreatedPasskey, name: string): Promise<Passkey> {
      assertRoom(current.account);
      const passkey = await ceremonies.create(purposes.add(current), created, name);
      await amend(current, (account) => {
        assertRoom(account);
        return [...account.passkeys, passkey];
      });
      return passkey;
    },
    /** Changes the name of a passkey. Throws `not_found`, `busy`. */
    async rename(current: Current, id: string, name: string): Promise<Passkey> {
      const account = await amend(current, (before) => {
        find(before, id);
        return withPasskey(before, id, (one) => ({ ...one, name }));
      });
      return find(account, id);
    },
    /** Removes a passkey. Throws `not_found`, `last_way`, `busy`. */
    async remove(current: Current, id: string): Promise<void> {
      await amend(current, (account) => {
        find(account, id);
        const rest = account.passkeys.filter(({ credentialId }) => credentialId !== id);
        if (!hasWay(deps, { ...account, passkeys: rest })) throw new TelexError("last_way");
        return rest;
      });
    },
  };
}

/** The passkeys of accounts, and what they open. */
export const createPasskeys = (deps: PasskeysDeps) => ({
  /** True if browsers have passkeys for the address of this server. */
  isAvailable: (): boolean => relyingPartyOf(deps.baseUrl()) !== null,
  ...createEntrance(deps),
  ...createOwnPasskeys(deps),
});

/** See {@link createPasskeys}. */
export type Passkeys = ReturnType<typeof createPasskeys>;
