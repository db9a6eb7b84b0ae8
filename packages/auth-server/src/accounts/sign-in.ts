import { TelexError } from "@telex/core";
import type { CallRequest } from "@telex/core/contract";
import type { Account } from "@telex/core/storage";
import type { PasswordHasher } from "../credentials/hashing.ts";
import { opaqueString } from "../credentials/opaque.ts";
import { usernameKey } from "../credentials/usernames.ts";
import type { AuthDeps } from "../options.ts";
import type { Seen } from "../sessions/seen.ts";
import { isSuspended } from "../sessions/suspended.ts";
import type { Guesses } from "../throttle/guesses.ts";
import { noteRefused } from "../throttle/note-refused.ts";

interface SignInDeps extends AuthDeps {
  readonly hasher: PasswordHasher;
  readonly guesses: Guesses;
  readonly seen: Pick<Seen, "has">;
}

/** Maximum characters of a text that is not a username, when guesses are counted. */
const longestName = 64;

/** Checks passwords. A name without an account takes the same path as one with. */
export function createSignIn(deps: SignInDeps) {
  const { telex, storage, hasher, guesses, seen } = deps;
  const isRight = async (account: Account | null, password: string): Promise<boolean> =>
    await hasher.verify(account?.passwordHash ?? null, opaqueString(password) ?? "");
  const find = async (username: string): Promise<{ readonly name: string; readonly account: Account | null }> => {
    const key = usernameKey(username);
    const name = key ?? username.slice(0, longestName);
    return { name, account: await storage.accounts.findAccount({ usernameKey: name }) };
  };
  const guess = async (name: string, account: Account | null, password: string, request: CallRequest) => {
    const address = request.address();
    const isKnown = (): boolean => account !== null && seen.has(account.seen, request);
    const takeBack = guesses.begin({ name, address, isKnown });
    const isMeant = await isRight(account, password).catch((error: unknown) => {
      takeBack();
      throw error;
    });
    if (isMeant) takeBack();
    else noteRefused(telex, account?.userId ?? null, request);
    return isMeant;
  };
  return {
    /**
     * The account that a username and a password open.
     * @throws TelexError `invalid_token` if one of them is wrong, `suspended`, `rate_limited`, `busy`
     */
    async signIn(
      { username, password }: { readonly username: string; readonly password: string },
      request: CallRequest,
    ) {
      const { name, account } = await find(username);
      const isMeant = await guess(name, account, password, request);
      if (account === null || !isMeant) throw new TelexError("invalid_token", { reason: "sign_in_wrong" });
      const user = await storage.users.findUser(account.userId);
      if (user === null) throw new TelexError("invalid_token", { reason: "sign_in_wrong" });
      if (isSuspended(user)) throw new TelexError("suspended");
      return account;
    },
    /**
     * Checks the password of an account.
     * @throws TelexError `not_confirmed` if it is wrong, `rate_limited`, `busy`
     */
    async confirm(account: Account, password: string, request: CallRequest): Promise<void> {
      if (!(await guess(account.usernameKey, account, password, request))) throw new TelexError("not_confirmed");
    },
  };
}
