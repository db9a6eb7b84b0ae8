import { defineContract, shortText } from "@telex/core/contract";
import { z } from "zod";

const identityView = z.object({
  issuer: z.string().meta({ description: "Address of the provider." }),
  provider: z.string().meta({ description: "Its name." }),
  name: z.string().meta({ description: "The account there, as its owner knows it." }),
  linkedAt: z.iso.datetime().meta({ description: "ISO 8601 in UTC." }),
});

/** An identity at another provider, as the owner of the account sees it. */
export type IdentityView = z.output<typeof identityView>;

/** Identities of one's own account at other providers. */
export const identityContract = defineContract({
  identities: {
    summary: "Lists the identities that open one's account, and the providers of this server.",
    access: "token",
    input: z.object({}),
    output: z.object({
      list: z.array(identityView),
      providers: z.array(z.object({ id: z.string(), name: z.string() })),
    }),
    errors: ["not_allowed"],
  },
  linkIdentity: {
    summary:
      "Begins to link an identity. The browser goes to redirectTo, signs in there, and comes back to the account page.",
    access: "token",
    input: z.object({ provider: shortText(32).meta({ description: "The id of the provider." }) }),
    output: z.object({ redirectTo: z.string() }),
    errors: ["not_allowed", "not_confirmed", "not_found", "provider_unavailable"],
  },
  confirmElsewhere: {
    summary:
      "Begins to confirm, without a password, at the provider of a linked identity. The browser goes to redirectTo, and comes back to a page.",
    access: "token",
    input: z.object({
      provider: shortText(32).meta({ description: "The id of the provider." }),
      to: shortText(1024).default("/user/account").meta({ description: "The local path of the page." }),
    }),
    output: z.object({ redirectTo: z.string() }),
    errors: ["not_allowed", "not_found", "provider_unavailable"],
  },
  unlinkIdentity: {
    summary: "Removes an identity from one's account. The last way to sign in stays.",
    access: "token",
    input: z.object({ issuer: shortText(1024) }),
    output: z.null(),
    errors: ["not_allowed", "not_confirmed", "not_found", "last_way", "busy"],
  },
});

/** The type of {@link identityContract}. */
export type IdentityContract = typeof identityContract;
