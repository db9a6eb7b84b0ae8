import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { Provider } from "oidc-provider";
import type { ProviderOptions } from "../src/index.ts";
import { listen } from "./other-provider.ts";
import { type Seen, Visitor } from "./visitor.ts";

/** The registration of Telex at the providers of the tests. */
export const client = { clientId: "telex", clientSecret: "a secret with & and +" };

/** The address at which Telex knows a provider. */
const optionsOf = (url: string, id: string): ProviderOptions => ({
  ...client,
  id,
  issuer: url,
  name: "Example ID",
  scopes: ["openid", "profile", "email", "groups"],
  allow: [new URL(url).host],
});

async function createKeys() {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const named = { kid: "k", alg: "ES256", use: "sig" };
  return {
    privateKey,
    own: { ...(await exportJWK(privateKey)), ...named },
    published: { ...(await exportJWK(publicKey)), ...named },
  };
}

/** Claims of a person, in addition to `sub`. */
export type Person = Readonly<Record<string, unknown>>;

/**
 * A real provider: `oidc-provider` with pages on which a user signs in by name.
 * @param people by `sub`; they can change
 */
export async function startIdentityProvider(people: Map<string, Person>, id = "example") {
  const { url, become } = await listen((_request, response) => response.writeHead(503).end());
  const { own } = await createKeys();
  const open = (telex: string): void => {
    const provider = new Provider(url, {
      jwks: { keys: [own] },
      clients: [
        {
          client_id: client.clientId,
          client_secret: client.clientSecret,
          redirect_uris: [`${telex}/user/providers/${id}`],
          id_token_signed_response_alg: "ES256",
        },
      ],
      claims: {
        openid: ["sub"],
        profile: ["name", "preferred_username"],
        email: ["email", "email_verified"],
        groups: ["groups"],
      },
      scopes: ["openid", "profile", "email", "groups"],
      pkce: { required: () => true },
      findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) }),
      cookies: { keys: ["a key of the test"] },
    });
    const handle = provider.callback();
    become((request, response) => void handle(request, response));
  };
  /** Signs in and agrees on the pages of the provider, from the page that leads there. */
  const pass = async (
    visitor: Visitor,
    leaving: Seen,
    sub: string,
    isEnough?: (next: string) => boolean,
  ): Promise<Seen> => {
    let seen = await visitor.follow(leaving, isEnough);
    for (const form of [{ prompt: "login", login: sub, password: "x" }, { prompt: "consent" }]) {
      const [, action] = /action="([^"]+)"/.exec(seen.text) ?? [];
      if (!seen.url.startsWith(url) || action === undefined) break;
      seen = await visitor.follow(await visitor.ask(new URL(action, url).href, { form }), isEnough);
    }
    return seen;
  };
  return { options: optionsOf(url, id), url, open, pass, become };
}

/** The responses of a forged provider. */
export interface Forgery {
  /** Fields of the metadata that differ. */
  readonly metadata?: object;
  /** The ID token, made of good claims. */
  readonly token?: (claims: JWTPayload, sign: (claims: JWTPayload) => Promise<string>) => Promise<string>;
}

/** A provider with answers made by hand. It accepts any code. */
export async function startForgedProvider({ metadata, token }: Forgery = {}, id = "forged") {
  const { url, become } = await listen((_request, response) => response.writeHead(503).end());
  const { privateKey, published } = await createKeys();
  const sign = async (claims: JWTPayload): Promise<string> =>
    await new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: "k" }).sign(privateKey);
  const exchanges: URLSearchParams[] = [];
  const nonces = new Map<string, string>();
  const now = (): number => Math.floor(Date.now() / 1000);
  const answers: Readonly<Record<string, (body: string) => unknown>> = {
    "/.well-known/openid-configuration": () => ({
      issuer: url,
      authorization_endpoint: `${url}/auth`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/jwks`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["ES256"],
      ...metadata,
    }),
    "/jwks": () => ({ keys: [published] }),
    "/token": async (body) => {
      const exchange = new URLSearchParams(body);
      exchanges.push(exchange);
      const claims = {
        iss: url,
        aud: client.clientId,
        sub: "mallory",
        iat: now(),
        exp: now() + 300,
        nonce: nonces.get(exchange.get("code") ?? "") ?? "",
      };
      const idToken = await (token ?? ((good) => sign(good)))(claims, sign);
      return { access_token: "at", token_type: "Bearer", expires_in: 60, id_token: idToken };
    },
  };
  become((request, response) => {
    void (async () => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      const answer = answers[new URL(request.url ?? "", url).pathname];
      response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(await answer?.(body)));
    })();
  });
  /** The query with which the provider sends the browser back, for the page that led there. */
  const answerTo = (leaving: Seen, more: Readonly<Record<string, string>> = {}): string => {
    const asked = new URL(Visitor.next(leaving) ?? "").searchParams;
    const code = `code-${nonces.size}`;
    nonces.set(code, asked.get("nonce") ?? "");
    return new URLSearchParams({ code, state: asked.get("state") ?? "", ...more }).toString();
  };
  return { options: optionsOf(url, id), url, exchanges, answerTo, become };
}
