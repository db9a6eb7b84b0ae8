import { maskAll, maskUrl } from "@telex/core/options";
import { url } from "../address-kinds.ts";
import { list, optional, secret, text } from "../kind.ts";
import { define } from "../setting.ts";

/** A word of OAuth: a scope, or a claim. */
const word = /^[!-+\--~]+$/;

/** Signing in with the accounts of another provider. */
export const providerRows = {
  providerIssuer: define(
    "providerIssuer",
    optional(url("https:", "http:")),
    null,
    "OpenID Connect provider with whose accounts people sign in, such as https://id.example; it must redirect to /user/providers/oidc of baseUrl",
    maskUrl,
  ),
  providerName: define(
    "providerName",
    optional(text("<name>")),
    null,
    "name of the provider as people know it, for its button; by default the host of providerIssuer",
  ),
  providerClientId: define(
    "providerClientId",
    optional(text("<id>")),
    null,
    "id under which this server is registered at the provider",
  ),
  providerClientSecret: define(
    "providerClientSecret",
    optional(secret("<secret>")),
    null,
    "secret of providerClientId; other users of the machine can see a flag, so prefer providerClientSecretFile",
    maskAll,
  ),
  providerClientSecretFile: define(
    "providerClientSecretFile",
    optional(text("<file>")),
    null,
    "file with the secret of providerClientId; the server reads it at least once in an hour of use",
  ),
  providerScopes: define(
    "providerScopes",
    list("scopes such as openid,profile,email,groups", word),
    ["openid", "profile", "email"],
    "scopes that are requested from the provider",
  ),
  providerUsernameClaim: define(
    "providerUsernameClaim",
    text("<claim>"),
    "preferred_username",
    "claim from which the username of a new account is made",
  ),
  providerNicknameClaim: define(
    "providerNicknameClaim",
    text("<claim>"),
    "name",
    "claim that becomes the nickname of a new account",
  ),
  providerGroupsClaim: define(
    "providerGroupsClaim",
    text("<claim>"),
    "groups",
    "claim that lists the groups of a person",
  ),
  providerDomains: define(
    "providerDomains",
    list("domains such as example.org", /^[a-z\d][a-z\d.-]*$/i),
    [],
    "domains of verified e-mail addresses that may sign in through the provider; by default all",
  ),
  providerGroups: define(
    "providerGroups",
    list("groups such as staff", /^[^,]+$/),
    [],
    "groups, one of which a person needs to sign in through the provider; by default none is needed",
  ),
  providerAdminGroup: define(
    "providerAdminGroup",
    optional(text("<group>")),
    null,
    "group whose members become admins at their next sign-in through the provider, and others stop being admins; by default no role changes",
  ),
  providerAllow: define(
    "providerAllow",
    list("host:port", /^(\[[0-9A-Fa-f:.]+\]|[^\s:,/[\]]+):\d{1,5}$/),
    [],
    "host:port of hosts of the provider that may be inside the network",
  ),
} as const;
