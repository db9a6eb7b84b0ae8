/** Scopes that applications can ask for. `admin` is none of them. */
export const oauthScopes = ["openid", "profile", "chat", "device"] as const;

/** A scope that a person can give to an application. */
export type OAuthScope = (typeof oauthScopes)[number];

const isOAuthScope = (scope: string): scope is OAuthScope => oauthScopes.some((one) => one === scope);

/** The scopes of OAuth in a list that spaces separate. */
export const scopesOf = (list: unknown): readonly OAuthScope[] =>
  typeof list === "string" ? [...new Set(list.split(" "))].filter(isOAuthScope) : [];

/** The scopes of a request that the application is registered for. */
export const grantableScopes = (requested: unknown, allowed: readonly string[]): readonly OAuthScope[] =>
  scopesOf(requested).filter((scope) => allowed.includes(scope));
