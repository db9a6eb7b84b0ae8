import type { Clock, Telex } from "@telex/core";
import type { Configuration, JWKS, KoaContextWithOIDC } from "oidc-provider";
import type { AuthDeps } from "../options.ts";
import { isSuspended } from "../sessions/suspended.ts";
import { AccessDenied } from "oidc-provider/lib/helpers/errors.js";
import { type AdapterDeps, createAdapterFactory } from "./adapter.ts";
import { readAnonymous } from "./payloads.ts";
import { livesOf, oauthLives } from "./lives.ts";
import { resourcesOf } from "./resource.ts";
import { oauthScopes } from "./scopes.ts";
import { sessionCookie } from "./session-cookie.ts";

export interface ConfigurationDeps extends AdapterDeps {
  readonly telex: Telex;
  readonly storage: AuthDeps["storage"];
  readonly baseUrl: () => string;
  /** The page for a request whose answer cannot be sent anywhere else. */
  readonly errorPage: (
    baseUrl: string,
    language: string | false,
    description: string,
  ) => { readonly headers: Readonly<Record<string, string>>; readonly body: string | null };
}

type Lived = { readonly gty?: string | undefined; readonly iiat?: number | undefined };

const secondsOf = (clock: Clock): number => Math.floor(clock.now() / 1000);

/** Seconds for which a new refresh token lives without use, and never longer than its whole line of tokens may. */
function refreshLife({ clock }: ConfigurationDeps, { gty, iiat = secondsOf(clock) }: Lived): number {
  const { idle, whole } = livesOf(gty);
  return Math.max(1, Math.min(idle, iiat + whole - secondsOf(clock)));
}

/** The account behind a subject, as far as a client may know it. */
async function findAccount({ storage, states, baseUrl }: ConfigurationDeps, sub: string, isOfBrowser: boolean) {
  const userId = Number(sub);
  // A request of a browser must only return the account that is signed in there.
  if (isOfBrowser && states.getStore()?.current?.account.userId !== userId)
    throw new AccessDenied("The person who answered is not signed in to this browser.");
  const [user, account] = await Promise.all([storage.users.findUser(userId), storage.accounts.findAccount({ userId })]);
  if (user === null || account === null || isSuspended(user)) return undefined;
  const picture = `${baseUrl()}/api/avatar/get/personal?id=${userId}`;
  const claims = { sub, name: user.nickname, preferred_username: account.username, picture };
  return { accountId: sub, claims: async () => await Promise.resolve(claims) };
}

const browserRoutes: ReadonlySet<string> = new Set(["authorization", "resume"]);

/** The grant that the person has just agreed to, or an earlier one that has all scopes of the request. */
async function findGrant({ grants, clock }: ConfigurationDeps, { oidc }: KoaContextWithOIDC) {
  const agreed = oidc.result?.consent?.grantId;
  if (agreed !== undefined) return await oidc.provider.Grant.find(agreed);
  const userId = Number(oidc.account?.accountId);
  for (const { clientId, payload } of await grants.listGrants(userId, clock.now())) {
    if (clientId !== oidc.client?.clientId) continue;
    const { jti } = readAnonymous(payload);
    const grant = jti === undefined ? undefined : await oidc.provider.Grant.find(jti);
    const granted = new Set(grant?.getOIDCScope().split(" "));
    if ([...oidc.requestParamScopes].every((scope) => granted.has(scope))) return grant;
  }
  return undefined;
}

const featuresOf = (issuer: string): NonNullable<Configuration["features"]> => ({
  devInteractions: { enabled: false },
  resourceIndicators: resourcesOf(issuer),
  rpInitiatedLogout: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  dPoP: { enabled: false },
  deviceFlow: { enabled: true, charset: "base-20", mask: "****-****" },
  // An application asks about its own tokens only.
  introspection: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
  revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
});

const routes = {
  authorization: "/oauth2/authorize",
  token: "/oauth2/token",
  userinfo: "/oauth2/userinfo",
  jwks: "/oauth2/jwks",
  introspection: "/oauth2/introspect",
  revocation: "/oauth2/revoke",
  end_session: "/oauth2/end",
  device_authorization: "/oauth2/device",
  // Telex serves this page.
  code_verification: "/user/device",
} as const;

/** The parts of a configuration that change with the address and the keys. */
interface ProviderIdentity {
  readonly issuer: string;
  readonly jwks: JWKS;
  readonly cookieKey: string;
}

/** The configuration of the provider. */
export const configurationOf = (
  deps: ConfigurationDeps,
  { issuer, jwks, cookieKey }: ProviderIdentity,
): Configuration => ({
  adapter: createAdapterFactory(deps),
  jwks,
  routes,
  discovery: { client_id_metadata_document_supported: deps.clients.hasDocuments },
  features: featuresOf(issuer),
  clients: [],
  scopes: [...oauthScopes],
  claims: { openid: ["sub"], profile: ["name", "preferred_username", "picture"] },
  clientAuthMethods: ["none", "client_secret_basic", "client_secret_post"],
  responseTypes: ["code"],
  pkce: { required: () => true },
  conformIdTokenClaims: false,
  cookies: {
    keys: [cookieKey],
    names: { session: sessionCookie, interaction: "telex-interaction", resume: "telex-resume" },
    short: { httpOnly: true, sameSite: "lax" },
    // It never leaves this process.
    long: { signed: false, httpOnly: true, sameSite: "lax" },
  },
  ttl: {
    AccessToken: oauthLives.access,
    AuthorizationCode: oauthLives.code,
    DeviceCode: oauthLives.deviceCode,
    IdToken: oauthLives.access,
    Interaction: oauthLives.interaction,
    Session: oauthLives.browser.whole,
    Grant: oauthLives.device.whole,
    RefreshToken: (_ctx, token) => refreshLife(deps, token),
  },
  interactions: { url: (_ctx, { uid }) => `/user/consent?uid=${uid}` },
  issueRefreshToken: (_ctx, client) => client.grantTypeAllowed("refresh_token"),
  rotateRefreshToken: true,
  expiresWithSession: () => false,
  findAccount: async ({ oidc }, sub) => await findAccount(deps, sub, browserRoutes.has(oidc.route)),
  renderError(ctx, { error, error_description: description = error }) {
    const { headers, body } = deps.errorPage(deps.baseUrl(), ctx.acceptsLanguages("en", "zh"), description);
    ctx.set(headers);
    ctx.body = body;
  },
  loadExistingGrant: async (ctx) => await findGrant(deps, ctx),
});
