import { hash } from "node:crypto";
import { EventEmitter } from "node:events";
import type { JWKS } from "oidc-provider";
import { Provider } from "oidc-provider/lib/provider.js";
import { isSecretOf } from "./clients/clients.ts";
import { type ConfigurationDeps, configurationOf } from "./configuration.ts";
import { isSession } from "./session-cookie.ts";

/** The provider compares digests: the secrets of applications are stored nowhere. */
function compareDigests(provider: Provider): void {
  Object.defineProperty(provider.Client.prototype, "compareClientSecret", {
    value(this: { readonly clientSecret?: string }, actual: string): boolean {
      return this.clientSecret !== undefined && isSecretOf(this.clientSecret, actual);
    },
  });
}

/** Keeps the cookie of the provider's own session from browsers: the session of Telex replaces it. */
function hideSession(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next();
    const cookies = ctx.res.getHeader("set-cookie") ?? [];
    const others = [cookies]
      .flat()
      .map(String)
      .filter((one) => !isSession(one));
    if (others.length > 0) ctx.set("set-cookie", others);
    else ctx.remove("set-cookie");
  });
}

export function createProvider(deps: ConfigurationDeps, issuer: string, jwks: JWKS): Provider {
  const cookieKey = hash("sha256", `cookies ${JSON.stringify(jwks.keys[0])}`, "base64url");
  const provider = new Provider(issuer, configurationOf(deps, { issuer, jwks, cookieKey }));
  provider.proxy = true;
  compareDigests(provider);
  hideSession(provider);
  const { log } = deps.telex;
  provider.on("server_error", ({ path }: { readonly path: string }, cause: unknown) => {
    // Interactions have their uid in the path.
    log.error("oauth.failed", { route: path.split("/").slice(0, 3).join("/") }, cause);
  });
  // Faults outside of its routes, which the library would write to stderr.
  EventEmitter.prototype.on.call(provider, "error", (cause: unknown) => log.error("oauth.failed", {}, cause));
  return provider;
}
