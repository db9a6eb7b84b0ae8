import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { expect, onTestFinished } from "vitest";
import type { TestServer } from "test-support/command";
import { at, textAt } from "test-support/json";
import { call, originOf } from "./account-people.ts";

type Server = Pick<TestServer, "url">;

const callers = Array.from({ length: 12 }, (_, index) => index);

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString("base64url");

/** An ES256 key. */
const createKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" });

/** A response that a browser makes with a passkey. */
const responseOf = (id: string, response: object) => ({
  id,
  rawId: id,
  type: "public-key",
  clientExtensionResults: {},
  response,
});

/** An honest authenticator with one passkey, in a browser that shows pages of `origin`. */
function createAuthenticator(origin: string) {
  const { privateKey, publicKey } = createKey();
  const id = randomBytes(32);
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const clientOf = (type: string, options: unknown) =>
    Buffer.from(JSON.stringify({ type, challenge: textAt(options, "challenge"), origin, crossOrigin: false }));
  const head = (flags: number): Buffer =>
    Buffer.concat([hash("sha256", "localhost", "buffer"), Buffer.of(flags), Buffer.alloc(4)]);
  const hex = (text: string): Buffer => Buffer.from(text, "hex");
  return {
    create(options: unknown) {
      const key = [
        hex("a5010203262001215820"),
        Buffer.from(x, "base64url"),
        hex("225820"),
        Buffer.from(y, "base64url"),
      ];
      const data = Buffer.concat([head(0x45), Buffer.alloc(16), Buffer.of(0, id.length), id, ...key]);
      // CBOR: {fmt: "none", attStmt: {}, authData: data}
      const prefix = Buffer.concat([
        hex("a363"),
        Buffer.from("fmt"),
        hex("64"),
        Buffer.from("none"),
        hex("67"),
        Buffer.from("attStmt"),
        hex("a068"),
        Buffer.from("authData"),
        Buffer.of(0x58, data.length),
      ]);
      return responseOf(base64url(id), {
        clientDataJSON: base64url(clientOf("webauthn.create", options)),
        attestationObject: base64url(Buffer.concat([prefix, data])),
        transports: ["internal"],
      });
    },
    use(options: unknown) {
      const client = clientOf("webauthn.get", options);
      const data = head(0x05);
      const signature = sign("sha256", Buffer.concat([data, hash("sha256", client, "buffer")]), privateKey);
      return responseOf(base64url(id), {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
      });
    },
  };
}

/** Lets 12 callers sign in with one response of a passkey, over all servers, and expects one winner. Returns the challenges. */
async function raceForPasskey(servers: readonly Server[], cookie: string): Promise<readonly string[]> {
  const [server] = servers;
  if (server === undefined) throw new Error("There is no server.");
  const authenticator = createAuthenticator(originOf(server));
  const { data: creation } = await call(server, "/account/passkeys/options", { cookie });
  const body = { passkey: authenticator.create(creation) };
  expect(await call(server, "/account/passkeys", { body, cookie })).toMatchObject({ status: 200 });
  const { data: request } = await call(server, "/account/signIn/options", {});
  const passkey = authenticator.use(request);
  const answers = await Promise.all(
    callers.map((index) =>
      call(servers[index % servers.length] ?? server, "/account/signIn/passkey", { body: { passkey } }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(callers.length - 1);
  const session = answers.map((answer) => answer.cookie.split("=", 2)[1] ?? "").filter(Boolean);
  return [textAt(creation, "challenge"), textAt(request, "challenge"), ...session];
}

/** A provider of OpenID Connect that accepts every code, so that only Telex decides who is signed in. */
export async function startProvider() {
  const { privateKey, publicKey } = createKey();
  const clientSecret = randomBytes(16).toString("hex");
  const issued: string[] = [];
  const nonces = new Map<string, string>();
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => server.close().closeAllConnections());
  const address = server.address();
  const host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const issuer = `http://${host}`;
  const answers: Readonly<Record<string, (body: string) => object>> = {
    "/.well-known/openid-configuration": () => ({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["ES256"],
    }),
    "/jwks": () => ({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "k", alg: "ES256", use: "sig" }] }),
    "/token": (body) => {
      const now = Math.floor(Date.now() / 1000);
      const nonce = nonces.get(new URLSearchParams(body).get("code") ?? "") ?? "";
      const claims = { iss: issuer, aud: "telex", sub: "somebody", iat: now, exp: now + 300, nonce };
      const tokens = {
        access_token: randomBytes(16).toString("hex"),
        refresh_token: randomBytes(16).toString("hex"),
        id_token: signToken(claims, privateKey),
      };
      issued.push(...Object.values(tokens));
      return { ...tokens, token_type: "Bearer", expires_in: 60 };
    },
  };
  server.on("request", (request, response) => {
    void (async () => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answers[new URL(request.url ?? "", issuer).pathname]?.(body)));
    })();
  });
  /** The query with which the provider sends a browser back. */
  const answerTo = (leaving: string) => {
    const { searchParams } = new URL(leaving);
    const [state, nonce] = [searchParams.get("state") ?? "", searchParams.get("nonce") ?? ""];
    const code = randomBytes(16).toString("hex");
    nonces.set(code, nonce);
    issued.push(code, state, nonce);
    return new URLSearchParams({ code, state }).toString();
  };
  const provider = ["--provider-issuer", issuer, "--provider-client-id", "telex", "--provider-allow", host];
  return { args: [...provider, "--provider-client-secret", clientSecret], answerTo, issued, clientSecret };
}

function signToken(claims: object, key: KeyObject): string {
  const text = [{ alg: "ES256", kid: "k" }, claims].map((part) => base64url(JSON.stringify(part))).join(".");
  return `${text}.${sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}

/** Lets 12 browsers return from a provider with one flow, over all servers, and expects one winner. */
async function raceForProvider(
  servers: readonly Server[],
  cookie: string,
  provider: Awaited<ReturnType<typeof startProvider>>,
): Promise<readonly string[]> {
  const [server] = servers;
  if (server === undefined) throw new Error("There is no server.");
  const begun = await call(server, "/account/identities", { body: { provider: "oidc" }, cookie });
  const query = provider.answerTo(textAt(begun.data, "redirectTo"));
  const answers = await Promise.all(
    callers.map(async (index) => {
      const { url } = servers[index % servers.length] ?? server;
      const headers = { cookie: `${cookie}; ${begun.cookie}`, "sec-fetch-site": "same-origin" };
      const response = await fetch(`${url}/user/providers/oidc?${query}`, { headers, redirect: "manual" });
      return { status: response.status, to: response.headers.get("location"), text: await response.text() };
    }),
  );
  const isIn = ({ to, text }: (typeof answers)[number]): boolean => `${to} ${text}`.includes("/user/account");
  expect(answers.filter(isIn)).toHaveLength(1);
  const { data } = await call(server, "/account/identities", { method: "GET", cookie });
  expect(at(data, "list")).toHaveLength(1);
  return [provider.clientSecret, begun.cookie.split("=", 2)[1] ?? "", ...provider.issued];
}

/**
 * Lets 12 callers use a challenge of a passkey and a flow with a provider simultaneously, over all servers, and expects one winner each time.
 * @param cookie the session of a person on all servers
 * @returns everything that was issued
 */
export async function raceForWays(
  servers: readonly Server[],
  cookie: string,
  provider: Awaited<ReturnType<typeof startProvider>>,
): Promise<readonly string[]> {
  return [...(await raceForPasskey(servers, cookie)), ...(await raceForProvider(servers, cookie, provider))];
}
