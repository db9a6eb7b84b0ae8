import type { Telex } from "@telex/core";
import type { RequestAuthenticator } from "@telex/core/transport";
import type { NodeMount, PluginForm, PluginRoute } from "@telex/http";
import { addressOf as addressOfIssuer } from "./accounts/ways.ts";
import { createForms } from "./forms/forms.ts";
import { oauthErrorPage } from "./forms/oauth-error.ts";
import { createOAuth, type OAuth } from "./oauth/oauth.ts";
import { createSeal } from "./oauth/seal.ts";
import type { AuthDeps, AuthOptions, AuthRules } from "./options.ts";
import { createAuthenticator } from "./sessions/authenticator.ts";
import { type CookieHost, createSessionCookie } from "./requests/cookies.ts";
import { createProviders } from "./providers/providers.ts";
import { createApplicationRuns } from "./routes/applications.ts";
import { createAdminRuns } from "./routes/admin.ts";
import { isLoopback, isSafePlace } from "./requests/places.ts";
import { createIdentityRuns } from "./routes/identities.ts";
import { createEnteringRuns } from "./routes/enter.ts";
import { createEntering } from "./routes/entering.ts";
import { createAccessRuns, createInvitationRuns, createOwnRuns } from "./routes/own.ts";
import { hooksContract } from "./contract/hooks.ts";
import { hookMount } from "./hooks/mount.ts";
import { keepRooms } from "./groups/keep-rooms.ts";
import { createHookRuns } from "./routes/hooks.ts";
import { pushContract } from "./contract/push.ts";
import { createPush } from "./push/push.ts";
import { createPushRuns } from "./routes/push.ts";
import { groupsContract } from "./contract/groups.ts";
import { roomMessagesContract } from "./contract/messages.ts";
import { createGroupsRuns } from "./routes/groups.ts";
import { createRoomMessagesRuns } from "./routes/messages.ts";
import { accountContract } from "./contract/account.ts";
import { type AccountAdminContract, accountAdminContract } from "./contract/admin.ts";
import type { AccountMethods } from "./contract/methods.ts";
import { operationsOf } from "./contract/operations-of.ts";
import { routesOf, type Runs } from "./contract/routes-of.ts";
import {
  accountAdminRoutes,
  accountRoutes,
  groupsRoutes,
  hooksRoutes,
  pushRoutes,
  roomMessagesRoutes,
} from "./contract/tables.ts";
import type { RouteParts } from "./routes/parts.ts";
import { createPasskeyRuns } from "./routes/passkeys.ts";
import { createPromptRuns } from "./routes/prompts.ts";
import { avatarRoutes } from "./routes/avatar.ts";
import { hookAvatarRoutes, roomAvatarRoutes } from "./routes/room-avatar.ts";
import { exportRoutes } from "./routes/export.ts";
import { oauthRoutes } from "./routes/oauth.ts";
import { createServices, type Services } from "./services.ts";

/** Accounts on an instance: what its transports mount. */
export interface Auth {
  /** For `createHttp` and `createWs`. */
  readonly authenticator: RequestAuthenticator;
  /** For `createHttp`. */
  readonly routes: readonly PluginRoute[];
  /** The pages on which people sign in, for `createHttp`. */
  readonly forms: readonly PluginForm[];
  /** The authorization server for other applications, for `createHttp`: it needs a server of Node. */
  readonly mounts: readonly NodeMount[];
  /** The operations of admins, called by the operator in the same process. */
  readonly operations: AccountMethods<AccountAdminContract>;
  /** Calls of the operator that no network offers. */
  readonly services: Pick<Services, "setup" | "direct" | "invitations" | "recovery" | "members"> &
    Pick<OAuth, "clients" | "applications">;
}

function cookieHostOf(baseUrl: string): CookieHost {
  const { protocol, port } = new URL(baseUrl);
  const isSecure = protocol === "https:";
  return { isSecure, port: Number(port === "" ? (isSecure ? 443 : 80) : port) };
}

/**
 * The origins whose pages may use sessions. This machine has several names for itself, and a browser on it may use any of them. None if
 * the server is reached over HTTP from other machines: signing in is off there.
 */
function originsOf(baseUrl: string, insecureCookies: boolean): ReadonlySet<string> {
  const url = new URL(baseUrl);
  if (!insecureCookies && !isSafePlace(baseUrl)) return new Set();
  if (!isLoopback(url)) return new Set([url.origin]);
  const port = url.port === "" ? "" : `:${url.port}`;
  return new Set(["localhost", "127.0.0.1", "[::1]"].map((host) => `${url.protocol}//${host}${port}`));
}

/** Caches the value for the last address, because the address is the same for all requests. */
function ofAddress<T>(baseUrl: () => string, make: (baseUrl: string) => T): () => T {
  let last: { readonly url: string; readonly made: T } | null = null;
  return () => {
    const url = baseUrl();
    if (last?.url !== url) last = { url, made: make(url) };
    return last.made;
  };
}

const rulesOf = ({
  registration = "invited",
  invitations = "admins",
  roomCreation = "everybody",
  directory = "everybody",
  editLife = 24 * 3_600_000,
  sessionLife = 12 * 3_600_000,
}: AuthOptions): AuthRules => ({ registration, invitations, roomCreation, directory, editLife, sessionLife });

function addressOf({ baseUrl }: AuthOptions): () => string {
  const read = typeof baseUrl === "function" ? baseUrl : () => baseUrl;
  if (typeof baseUrl === "string" && !URL.canParse(baseUrl)) throw new TypeError(`baseUrl is no URL: ${baseUrl}`);
  return () => read().replace(/\/+$/, "");
}

const createGroupRoutes = (deps: AuthDeps, { roomLinks, hooks }: Services): PluginRoute[] => [
  ...routesOf("hooks", hooksContract, hooksRoutes, createHookRuns(hooks)),
  ...routesOf("groups", groupsContract, groupsRoutes, createGroupsRuns(deps, { roomLinks, hooks })),
  ...routesOf("roomMessages", roomMessagesContract, roomMessagesRoutes, createRoomMessagesRuns(deps)),
  ...roomAvatarRoutes(deps),
  ...hookAvatarRoutes(deps, hooks),
];

function createAccountRoutes(parts: RouteParts, adminRuns: Runs<AccountAdminContract>): PluginRoute[] {
  const runs = {
    ...createEnteringRuns(parts),
    ...createOwnRuns(parts),
    ...createAccessRuns(parts),
    ...createInvitationRuns(parts),
    ...createIdentityRuns(parts),
    ...createApplicationRuns(parts),
    ...createPasskeyRuns(parts),
    ...createPromptRuns(parts),
  };
  return [
    ...routesOf("account", accountContract, accountRoutes, runs),
    ...routesOf("accounts", accountAdminContract, accountAdminRoutes, adminRuns),
  ];
}

/**
 * Accounts for an instance: sign-in, sessions, invitations, recovery. Mount it on the transports of the same instance. If `baseUrl` is
 * neither HTTPS nor on this machine, and `insecureCookies` does not permit it, all sign-ins are refused, and the forms say why.
 * @throws TypeError for a `baseUrl` that is not a URL
 * @example
 * const { authenticator, routes, forms } = createAuth(telex, { storage, baseUrl: "https://telex.example" });
 * const http = createHttp(telex, { authenticator, routes, forms });
 */
export function createAuth(telex: Telex, options: AuthOptions): Auth {
  const { insecureCookies = false } = options;
  const storage = keepRooms(options.storage);
  const baseUrl = addressOf(options);
  const issuers = new Set((options.providers ?? []).map(({ issuer }) => addressOfIssuer(issuer)));
  const rules = rulesOf(options);
  const deps: AuthDeps = { telex, storage, rules, issuers, baseUrl };
  const cookieHost = ofAddress(baseUrl, cookieHostOf);
  const cookie = createSessionCookie(cookieHost);
  const origins = ofAddress(baseUrl, (url) => originsOf(url, insecureCookies));
  const seal = createSeal(options.secretKey);
  const services = createServices(
    deps,
    { session: cookie, browser: createSessionCookie(cookieHost, "telex-browser") },
    seal,
  );
  const push = createPush(deps, seal, options);
  const { sessions, tickets } = services;
  const entering = createEntering({ services, telex, origins });
  const oauth = createOAuth({ ...deps, sessions, errorPage: oauthErrorPage }, options);
  const { invitations: invited } = services;
  const flowCookie = createSessionCookie(cookieHost, "telex-flow");
  const providers = createProviders(options.providers ?? [], {
    ...deps,
    sessions,
    invitations: invited,
    cookie: flowCookie,
  });
  const parts = { telex, storage, issuers, services, entering, origins, oauth, providers };
  const adminRuns = createAdminRuns(parts);
  const authenticator = createAuthenticator({
    telex,
    storage,
    rules,
    issuers,
    baseUrl,
    cookie,
    sessions,
    redeem: (secret) => tickets.redeem(secret),
    origins,
  });
  return {
    authenticator,
    routes: [
      ...createAccountRoutes(parts, adminRuns),
      ...createGroupRoutes(deps, services),
      ...routesOf("push", pushContract, pushRoutes, createPushRuns(deps, push, sessions)),
      ...oauthRoutes(parts),
      ...exportRoutes(parts),
      ...avatarRoutes(parts),
    ],
    forms: createForms({ ...parts, rules, baseUrl, insecureCookies }),
    mounts: [...oauth.mounts, hookMount(deps, services.hooks)],
    services: { ...services, clients: oauth.clients, applications: oauth.applications },
    operations: operationsOf(telex, "accounts", accountAdminContract, adminRuns),
  };
}
