import { TelexError } from "@telex/core";
import type { Account, AccountCreation } from "@telex/core/storage";
import { usernameKey } from "../credentials/usernames.ts";

/** The form of a person who opens an account. */
export interface NewPerson {
  readonly username: string;
  /** Default: the username. */
  readonly nickname?: string | undefined;
}

/** The compared form of a username. Throws `invalid_request` for a text that is not a username. */
export function keyOfUsername(username: string): string {
  const key = usernameKey(username);
  if (key !== null) return key;
  throw new TelexError("invalid_request", { issues: [{ path: "username", problem: "username", params: {} }] });
}

/** The fields of a new account and its user. */
export const newAccount = (
  { username, nickname = username }: NewPerson,
  now: number,
  { passwordHash, passkeys, role }: Pick<Account, "passwordHash" | "passkeys" | "role">,
): Pick<AccountCreation, "user" | "account"> => ({
  user: { nickname, phone: null, avatar: null, ai: null, oneBot: null, suspended: false, createdAt: now },
  account: {
    username,
    usernameKey: keyOfUsername(username),
    passwordHash,
    role,
    showRead: true,
    notify: "all",
    seen: [],
    blocked: [],
    prompts: "[]",
    recovery: null,
    createdAt: now,
    passkeys,
    identities: [],
  },
});
