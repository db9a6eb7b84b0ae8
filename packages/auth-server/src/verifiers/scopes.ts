import type { Claims } from "./options.ts";

const allowed = /^(?:chat|profile|device(?::[A-Za-z0-9_-]{1,64})?)$/;

/** The scopes in the claim `scope` that an application can have. */
export const scopesIn = ({ scope }: Claims): readonly string[] =>
  typeof scope === "string" ? scope.split(" ").filter((one) => allowed.test(one)) : [];
