import { TelexError } from "@telex/core";
import type { CallContext } from "@telex/core/contract";
import { localPath } from "../requests/local-path.ts";
import type { IdentityContract } from "../contract/identities.ts";
import { removeIdentity } from "../accounts/identities.ts";
import type { Runs } from "../contract/routes-of.ts";
import { ProviderFailure } from "../providers/failure.ts";
import type { RouteParts } from "./parts.ts";
import { requestOf } from "./request.ts";

/** A failure before the browser has left: a script shows it as an error of its call. */
function errorOf(error: unknown): unknown {
  return error instanceof ProviderFailure ? new TelexError("provider_unavailable", { cause: error }) : error;
}

/** The operations on identities of one's own. */
export function createIdentityRuns({
  services,
  providers,
  storage,
  issuers,
  telex,
}: RouteParts): Runs<IdentityContract> {
  const { sessions, own } = services;
  const nameOf = (issuer: string): string =>
    providers.list.find((one) => one.issuer === issuer)?.name ?? URL.parse(issuer)?.host ?? issuer;
  const leave = async (departure: Omit<Parameters<typeof providers.begin>[0], "stay">, context: CallContext) => {
    const url = await providers.begin({ ...departure, stay: false }, requestOf(context)).catch((error: unknown) => {
      throw errorOf(error);
    });
    return { redirectTo: url.href };
  };
  return {
    identities(caller) {
      const { identities } = sessions.of(caller).account;
      const list = identities.map(({ issuer, name, createdAt }) => {
        return { issuer, provider: nameOf(issuer), name, linkedAt: new Date(createdAt).toISOString() };
      });
      return Promise.resolve({ list, providers: providers.list.map(({ id, name }) => ({ id, name })) });
    },
    async linkIdentity(caller, { provider }, context) {
      const current = sessions.of(caller);
      await own.assertConfirmed(current, undefined, requestOf(context));
      return await leave({ provider, purpose: "link", to: "/user/account", current }, context);
    },
    async confirmElsewhere(caller, { provider, to }, context) {
      const current = sessions.of(caller);
      return await leave({ provider, purpose: "confirm", to: localPath(to, "/user/account"), current }, context);
    },
    async unlinkIdentity(caller, { issuer }, context) {
      const current = sessions.of(caller);
      await own.assertConfirmed(current, undefined, requestOf(context));
      await removeIdentity({ storage, issuers }, current.account.userId, issuer);
      telex.security.note("account.changed", { userId: current.account.userId });
      return null;
    },
  };
}
