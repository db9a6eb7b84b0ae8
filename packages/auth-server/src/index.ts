export { createAccessTokenVerifier } from "./oauth/access-tokens.ts";
export { createAuth } from "./create-auth.ts";
export type { Auth } from "./create-auth.ts";
export type { AuthOptions, AuthRules } from "./options.ts";
