import type { Client, Configuration, KoaContextWithOIDC } from "oidc-provider";
import { InvalidTarget } from "oidc-provider/lib/helpers/errors.js";
import { apiScopes, grantableScopes, isDeviceScope, type OAuthScope } from "./scopes.ts";

type Resources = NonNullable<NonNullable<Configuration["features"]>["resourceIndicators"]>;

const requestedScopes = ({ oidc }: KoaContextWithOIDC, { scope = "" }: Client): readonly OAuthScope[] =>
  grantableScopes(oidc.params?.["scope"], scope.split(" "));

/** The names of Telex as a resource (RFC 8707): its API and its MCP server. Tokens for either open the same operations. */
export const resourceNames = (issuer: string): readonly string[] => [issuer, `${issuer}/mcp`];

/**
 * Telex as a resource of its own provider, under each of {@link resourceNames}. The provider knows a fixed list of scopes, and drops every other
 * one unless it is a scope of a resource. So a request that names a device is implicitly one for the API.
 */
export const resourcesOf = (issuer: string): Resources => ({
  enabled: true,
  // With `openid`, the token also opens the userinfo endpoint, which accepts no token for a resource.
  useGrantedResource: () => false,
  defaultResource(ctx, client, oneOf) {
    if (oneOf !== undefined) return oneOf;
    return requestedScopes(ctx, client).some(isDeviceScope) ? issuer : [];
  },
  getResourceServerInfo(ctx, resource, client) {
    const names = resourceNames(issuer);
    if (!names.includes(resource)) throw new InvalidTarget(`The resource must be ${names.join(" or ")}.`);
    // Tokens are issued for what the person has agreed to, and a request for a token does not repeat it.
    const scope =
      ctx.oidc.entities.Grant?.getResourceScope(resource) ?? apiScopes(requestedScopes(ctx, client)).join(" ");
    return { scope, accessTokenFormat: "opaque" };
  },
});
