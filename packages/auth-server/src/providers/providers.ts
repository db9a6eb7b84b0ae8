import { TelexError } from "@telex/core";
import type { CallRequest } from "@telex/core/contract";
import type { Account } from "@telex/core/storage";
import { readLink } from "../links/links.ts";
import type { SessionCookie } from "../requests/cookies.ts";
import type { Current, Sessions } from "../sessions/sessions.ts";
import { accountOfIdentity, findByIdentity, type IdentityDeps, identityOf } from "./account-of-identity.ts";
import { type Claimed, mayEnter } from "./claims.ts";
import { ProviderFailure } from "./failure.ts";
import { createFlows, type Flow } from "./flows.ts";
import { addIdentity } from "../accounts/identities.ts";
import { assertProviders, type ProviderOptions } from "./options.ts";
import { createProvider, type Provider } from "./provider.ts";

/** How a person goes to a provider. */
interface Departure extends Pick<Flow, "purpose" | "to" | "stay"> {
  /** The id of the provider. */
  readonly provider: string;
  /** The secret of the link that is used. Default: none. */
  readonly secret?: string;
  /** The session of the person, for `confirm` and `link`. */
  readonly current: Current | null;
}

interface ProvidersDeps extends IdentityDeps {
  readonly sessions: Sessions;
  /** The cookie of flows. */
  readonly cookie: SessionCookie;
}

/** Signing in with the accounts of other providers. */
export interface Providers {
  readonly list: readonly ProviderOptions[];
  /**
   * Begins a flow.
   * @returns the address to which the browser goes
   * @throws ProviderFailure `unavailable`
   * @throws TelexError `not_found` for an unknown provider, `link_ended` for a text that is not the secret of a link
   */
  readonly begin: (departure: Departure, request: Pick<CallRequest, "setHeader">) => Promise<URL>;
  /**
   * Ends a flow when the browser returns.
   * @param enter begins a session
   * @returns the local path to which the browser goes
   * @throws ProviderFailure with any reason
   * @throws TelexError `suspended`, `link_ended`, `registration_closed`, `busy`
   */
  readonly end: (
    provider: string,
    query: URLSearchParams,
    request: CallRequest,
    enter: (account: Account, stay: boolean) => Promise<unknown>,
  ) => Promise<string>;
}

const linkKinds = { join: "invitation", setup: "setup" } as const;

/** The right of the person of a flow to open an account. */
function entitlementOf({ purpose, link }: Flow) {
  if (link === null || (purpose !== "join" && purpose !== "setup")) return null;
  return { kind: linkKinds[purpose], digest: link };
}

/** Creates the providers. The library of OpenID Connect is loaded when the first person goes to one. */
export function createProviders(list: readonly ProviderOptions[], deps: ProvidersDeps): Providers {
  const { telex, storage, sessions, cookie } = deps;
  assertProviders(list);
  const providers = new Map(list.map((options) => [options.id, createProvider(options, deps)]));
  const flows = createFlows({ grants: storage.grants, clock: telex.clock, cookie });
  const find = (id: string): Provider => {
    const provider = providers.get(id);
    if (provider === undefined) throw new TelexError("not_found");
    return provider;
  };
  /** The session that began a flow, if it is still that of the browser. */
  const beginnerOf = async ({ sessionId }: Flow, { header }: CallRequest): Promise<Current> => {
    const current = await sessions.find(header);
    if (current === null || current.session.sessionId !== sessionId) throw new ProviderFailure("changed");
    return current;
  };
  const confirm = async (current: Current, claimed: Claimed): Promise<void> => {
    const account = await findByIdentity(deps, claimed);
    if (account?.userId !== current.account.userId) throw new ProviderFailure("changed");
    await storage.accounts.confirmSession({ ...current.session, confirmedAt: telex.clock.now() });
  };
  const link = async ({ account: { userId } }: Current, claimed: Claimed): Promise<void> => {
    const outcome = await addIdentity(deps, userId, identityOf(claimed, telex.clock.now()));
    if (outcome !== "added") throw new ProviderFailure(outcome);
    telex.security.note("account.changed", { userId });
  };
  return {
    list,
    async begin({ purpose, to, stay, provider, secret, current }, request) {
      const match = find(provider);
      const { session } = current ?? {};
      const digest = secret === undefined ? null : readLink(secret);
      const flow = { provider, purpose, to, stay, link: digest, sessionId: session?.sessionId ?? null };
      const secrets = await flows.begin(flow, request);
      return await match.begin(secrets, purpose === "confirm");
    },
    async end(id, query, request, enter) {
      const provider = find(id);
      const taken = await flows.take(id, query.get("state"), request);
      if (taken === null) throw new ProviderFailure("ended");
      const { flow, secrets } = taken;
      const claimed = await provider.finish(query, secrets);
      const { options } = provider;
      if (!mayEnter(claimed, options)) throw new ProviderFailure("forbidden");
      if (flow.purpose === "confirm") await confirm(await beginnerOf(flow, request), claimed);
      else if (flow.purpose === "link") await link(await beginnerOf(flow, request), claimed);
      else {
        const account = await accountOfIdentity(deps, { claimed, options, entitlement: entitlementOf(flow) });
        await enter(account, flow.stay);
      }
      return flow.to;
    },
  };
}
