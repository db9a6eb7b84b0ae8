import { hash } from "node:crypto";
import type { Telex } from "@telex/core";
import type { Provider } from "oidc-provider";
import { resourceNames } from "./resource.ts";
import { apiScopes, type OAuthScope } from "./scopes.ts";

/** A person's consent. */
interface Consent {
  /** Names the question that is answered: two answers to one question make one grant. */
  readonly question: string;
  readonly userId: number;
  readonly clientId: string;
  readonly scopes: readonly OAuthScope[];
}

/** Grants an application what a person has agreed to, and returns the id of the grant for the provider. */
export async function makeGrant(
  { security }: Pick<Telex, "security">,
  provider: Provider,
  { question, userId, clientId, scopes }: Consent,
): Promise<string> {
  const made = new provider.Grant({ accountId: String(userId), clientId });
  made.jti = hash("sha256", `grant ${question} ${userId}`, "base64url");
  made.addOIDCScope(scopes.join(" "));
  for (const name of resourceNames(provider.issuer)) made.addResourceScope(name, apiScopes(scopes).join(" "));
  security.note("grant.made", { userId, clientId });
  return await made.save();
}
