import { isIPv4 } from "node:net";
import type { Telex } from "@telex/core";
import type { RequestAuthenticator } from "@telex/core/transport";
import type { PluginRoute } from "@telex/http";
import type { AuthDeps, AuthOptions } from "./options.ts";
import { createAuthenticator } from "./sessions/authenticator.ts";
import { type CookiePlace, createSessionCookie } from "./requests/cookies.ts";
import { adminAccountRoutes } from "./routes/admin.ts";
import { enterRoutes } from "./routes/enter.ts";
import { ownRoutes } from "./routes/own.ts";
import { createServices, type Services } from "./services.ts";

/** Accounts on an instance: what its transports mount. */
export interface Auth {
  /** For `createHttp` and `createWs`. */
  readonly authenticator: RequestAuthenticator;
  /** For `createHttp`. */
  readonly routes: readonly PluginRoute[];
  /** Calls of the operator in the same process. */
  readonly services: Pick<Services, "setup" | "invitations" | "recovery" | "members">;
}

const isLoopback = ({ hostname }: URL): boolean =>
  hostname === "localhost" || hostname === "[::1]" || (isIPv4(hostname) && hostname.startsWith("127."));

/** True if browsers may keep the cookie of a session: over HTTPS, and on this machine. */
const isSafePlace = (baseUrl: string): boolean => {
  const url = new URL(baseUrl);
  return url.protocol === "https:" || isLoopback(url);
};

function placeOf(baseUrl: string): CookiePlace {
  const { protocol, port } = new URL(baseUrl);
  const isSecure = protocol === "https:";
  return { isSecure, port: Number(port === "" ? (isSecure ? 443 : 80) : port) };
}

/** The names of this machine for itself: a browser on it may use any of them. */
function originsOf(baseUrl: string): ReadonlySet<string> {
  const url = new URL(baseUrl);
  if (!isLoopback(url)) return new Set([url.origin]);
  const port = url.port === "" ? "" : `:${url.port}`;
  return new Set(["localhost", "127.0.0.1", "[::1]"].map((host) => `${url.protocol}//${host}${port}`));
}

/** Remembers what was made of the last address: it is the same for all requests. */
function ofAddress<T>(baseUrl: () => string, make: (baseUrl: string) => T): () => T {
  let last: { readonly url: string; readonly made: T } | null = null;
  return () => {
    const url = baseUrl();
    if (last?.url !== url) last = { url, made: make(url) };
    return last.made;
  };
}

function addressOf({ baseUrl, insecureCookies = false }: AuthOptions): () => string {
  const read = typeof baseUrl === "function" ? baseUrl : () => baseUrl;
  if (typeof baseUrl === "string" && !insecureCookies && !isSafePlace(baseUrl)) {
    throw new RangeError(
      "Sessions need HTTPS beyond this machine: set baseUrl to an https address, or insecureCookies.",
    );
  }
  return () => read().replace(/\/+$/, "");
}

/**
 * Accounts for an instance: sign-in, sessions, invitations, recovery. Mount it on the transports of the same instance.
 * @throws TypeError for a `baseUrl` that is not a URL
 * @throws RangeError for one that is neither HTTPS nor on this machine, unless `insecureCookies` permits it
 * @example
 * const auth = createAuth(telex, { storage, baseUrl: "https://telex.example" });
 * const http = createHttp(telex, { authenticator: auth.authenticator, routes: auth.routes });
 */
export function createAuth(telex: Telex, options: AuthOptions): Auth {
  const { storage, registration = "invited", sessionLife = 12 * 3_600_000 } = options;
  const baseUrl = addressOf(options);
  const deps: AuthDeps = { telex, storage, rules: { registration, sessionLife }, baseUrl };
  const cookie = createSessionCookie(ofAddress(baseUrl, placeOf));
  const origins = ofAddress(baseUrl, originsOf);
  const services = createServices(deps, cookie);
  const { sessions, tickets } = services;
  const parts = { telex, storage, services, origins };
  const authenticator = createAuthenticator({
    telex,
    storage,
    rules: deps.rules,
    baseUrl,
    cookie,
    sessions,
    redeem: (secret) => tickets.redeem(secret),
    origins,
  });
  return {
    authenticator,
    routes: [...enterRoutes(parts), ...ownRoutes(parts), ...adminAccountRoutes(parts)],
    services,
  };
}
