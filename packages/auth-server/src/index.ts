export { createAccessTokenVerifier } from "./oauth/access-tokens.ts";
export { createAuth } from "./create-auth.ts";
export type { Auth } from "./create-auth.ts";
export type { ProviderOptions } from "./providers/options.ts";
export type { AuthOptions, AuthRules } from "./options.ts";
export { roomMessagesContract } from "./contract/messages.ts";
export { roomMessagesRoutes } from "./contract/tables.ts";
