/** Where the protected resource metadata of `/mcp` is (RFC 9728), at both addresses that clients try. */
export const metadataPaths = [
  "/.well-known/oauth-protected-resource/mcp",
  "/.well-known/oauth-protected-resource",
] as const;

/** The protected resource metadata of `/mcp`. */
export const metadataOf = (baseUrl: string, hasProvider: boolean): object => ({
  resource: `${baseUrl}/mcp`,
  resource_name: "Telex",
  bearer_methods_supported: ["header"],
  ...(hasProvider && { authorization_servers: [baseUrl], scopes_supported: ["chat", "device"] }),
});
