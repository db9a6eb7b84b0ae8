import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { type Configuration, Provider } from "oidc-provider";
import { onTestFinished } from "vitest";

/** The client id and secret with which Telex introspects tokens. */
export const asker = { clientId: "telex", clientSecret: "a secret with & and +" };

/** The audience that the provider uses for Telex. */
export const audience = "https://telex.example";

const app = {
  client_id: "app",
  token_endpoint_auth_method: "none",
  redirect_uris: ["https://app.example/cb"],
} as const;

async function createKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg: "ES256", use: "sig" };
}

const configurationOf = (keys: readonly JWK[]): Configuration => ({
  jwks: { keys: [...keys] },
  clients: [
    { ...app, id_token_signed_response_alg: "ES256" },
    {
      client_id: asker.clientId,
      client_secret: asker.clientSecret,
      redirect_uris: [],
      response_types: [],
      grant_types: [],
      id_token_signed_response_alg: "ES256",
    },
  ],
  scopes: ["openid", "offline_access", "chat", "admin"],
  features: {
    devInteractions: { enabled: false },
    introspection: { enabled: true, allowedPolicy: () => true },
    revocation: { enabled: true },
  },
});

/** Starts an HTTP server whose answers can change. */
export async function listen(first: RequestListener) {
  let answer = first;
  const server = createServer((request, response) => answer(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => server.close().closeAllConnections());
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("The server listens on no port.");
  return { url: `http://127.0.0.1:${address.port}`, become: (next: RequestListener) => void (answer = next) };
}

/** How a token is issued. */
interface Wish {
  readonly sub?: string;
  readonly scope?: string;
  readonly audience?: string;
  readonly format?: "opaque" | "jwt";
}

/** A provider that Telex does not know from inside: `oidc-provider` behind a server whose requests are counted by path. */
export async function startOtherProvider() {
  const calls: string[] = [];
  const { url, become } = await listen((_request, response) => response.writeHead(500).end());
  const key = await createKey("first");
  const create = (keys: readonly JWK[]): Provider => new Provider(url, configurationOf(keys));
  const serve = (provider: Provider): void => {
    const handle = provider.callback();
    become((request, response) => {
      calls.push(request.url ?? "");
      void handle(request, response);
    });
  };
  const provider = create([key]);
  serve(provider);
  const grantOf = async (of: Provider, accountId: string): Promise<string> =>
    await new of.Grant({ accountId, clientId: app.client_id }).save();
  const issue = async (wish: Wish = {}, of = provider): Promise<string> => {
    const { sub = "alice-7", scope = "chat", format = "opaque" } = wish;
    const client = await of.Client.find(app.client_id);
    if (client === undefined) throw new TypeError("The provider has lost its client.");
    const token = new of.AccessToken({
      accountId: sub,
      client,
      scope,
      grantId: await grantOf(of, sub),
      gty: "authorization_code",
    });
    const jwt = { sign: { alg: "ES256" } } as const;
    token.resourceServer = new of.ResourceServer(wish.audience ?? audience, { scope, accessTokenFormat: format, jwt });
    return await token.save();
  };
  const issueRefreshToken = async (sub = "alice-7"): Promise<string> => {
    const client = await provider.Client.find(app.client_id);
    if (client === undefined) throw new TypeError("The provider has lost its client.");
    const grantId = await grantOf(provider, sub);
    return await new provider.RefreshToken({
      accountId: sub,
      client,
      scope: "chat",
      grantId,
      gty: "authorization_code",
    }).save();
  };
  return {
    url,
    calls,
    key,
    issue,
    issueRefreshToken,
    revoke: async (token: string): Promise<void> => await (await provider.AccessToken.find(token))?.destroy(),
    /** Signs with another key. The old one stays published, or not. */
    async rotate(keepsOld: boolean) {
      const next = await createKey("second");
      const rotated = create(keepsOld ? [next, key] : [next]);
      serve(rotated);
      return async (wish: Wish = {}) => await issue({ ...wish, format: "jwt" }, rotated);
    },
    /** Answers every request with this status. */
    fail: (status = 500) => become((_request, response) => response.writeHead(status).end("no")),
    become,
  };
}

/** Claims of a valid token, for tokens made by hand. */
export const goodClaims = (issuer: string) => ({ iss: issuer, aud: audience, sub: "alice-7", scope: "chat" });

/** Signs claims with a key of the provider, or with anything else. */
export async function sign(
  claims: Readonly<Record<string, unknown>>,
  header: { readonly alg: string; readonly typ?: string; readonly kid?: string },
  key: Parameters<SignJWT["sign"]>[0],
): Promise<string> {
  return await new SignJWT({ ...claims })
    .setProtectedHeader({ kid: "first", ...header })
    .setExpirationTime("5m")
    .sign(key);
}
