import type { Account } from "@telex/core/storage";
import type { AuthDeps } from "../options.ts";

type Ways = Pick<Account, "passwordHash" | "passkeys" | "identities">;

/** True if a person can sign in with one of these. An identity opens nothing while its provider is not in the settings. */
export const hasWay = ({ issuers }: Pick<AuthDeps, "issuers">, { passwordHash, passkeys, identities }: Ways): boolean =>
  passwordHash !== null || passkeys.length > 0 || identities.some(({ issuer }) => issuers.has(addressOf(issuer)));

/** An address in the form in which issuers are compared: with or without a slash at the end of a host, it is the same. */
export const addressOf = (issuer: string): string => URL.parse(issuer)?.href ?? issuer;
