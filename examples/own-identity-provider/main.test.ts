import { text } from "node:stream/consumers";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { call, startExample, startServer } from "../support.ts";

/** An identity provider with one key, and a maker of its tokens. It says of the token `opaque` that it is valid. */
async function startProvider() {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const key = { ...(await exportJWK(publicKey)), kid: "first", alg: "ES256", use: "sig" };
  const introspect = (form: string): object =>
    form.includes("token=opaque&")
      ? { active: true, sub: "bob", scope: "chat", aud: "telex", token_type: "Bearer" }
      : { active: false };
  const issuer = await startServer((request, response) => {
    if (request.url === "/jwks") response.end(JSON.stringify({ keys: [key] }));
    else void text(request).then((form) => response.end(JSON.stringify(introspect(form))));
  });
  const sign = async (claims: Readonly<Record<string, string>>, life = "5m"): Promise<string> =>
    await new SignJWT({ scope: "chat", ...claims })
      .setProtectedHeader({ alg: "ES256", kid: "first", typ: "at+jwt" })
      .setIssuer(issuer)
      .setAudience("telex")
      .setExpirationTime(life)
      .sign(privateKey);
  return { issuer, sign };
}

describe("own-identity-provider, whose subjects are UUIDs", () => {
  it("knows who holds a token of its provider, and makes each subject one user", async () => {
    const { issuer, sign } = await startProvider();
    const { url } = await startExample("own-identity-provider", { ISSUER: issuer });
    const alice = await sign({ sub: "3b241101-e2bb-4255-8caf-4136c566a962", name: "alice" });
    const first = await Promise.all(Array.from({ length: 8 }, () => call(url, "/oauth2/userId", alice)));
    expect(first).toEqual(first.map(() => ({ status: 200, body: { code: 200, msg: "success", data: { id: 1 } } })));
    const known = await call(url, "/oauth2/userinfo", await sign({ sub: "3b241101-e2bb-4255-8caf-4136c566a962" }));
    expect(known).toMatchObject({ body: { data: { nickname: "alice", ext: "3b241101-e2bb-4255-8caf-4136c566a962" } } });
    expect(await call(url, "/teleprinter/devices", alice)).toMatchObject({ status: 200, body: { data: [] } });
  });

  it("refuses tokens that are expired, of another provider, or of a scope that is too narrow", async () => {
    const { issuer, sign } = await startProvider();
    const other = await startProvider();
    const { url } = await startExample("own-identity-provider", { ISSUER: issuer });
    const expired = await sign({ sub: "3b241101-e2bb-4255-8caf-4136c566a962" }, "-1m");
    const foreign = await other.sign({ sub: "3b241101-e2bb-4255-8caf-4136c566a962" });
    for (const token of [expired, foreign, "no.token.at.all", "tlxp_nobody"]) {
      expect(await call(url, "/oauth2/userId", token)).toMatchObject({ status: 401 });
    }
    const narrow = await sign({ sub: "3b241101-e2bb-4255-8caf-4136c566a962", scope: "profile" });
    expect(await call(url, "/teleprinter/devices", narrow)).toMatchObject({ status: 403 });
    const admin = await sign({ sub: "3b241101-e2bb-4255-8caf-4136c566a962", scope: "chat admin" });
    expect(await call(url, "/teleprinter/devices", admin)).toMatchObject({ status: 200 });
    expect(await call(url, "/admin/users", admin)).toMatchObject({ status: 403 });
  });

  it("asks the provider about a token that is no JWT", async () => {
    const { issuer } = await startProvider();
    const { url } = await startExample("own-identity-provider", { ISSUER: issuer });
    expect(await call(url, "/oauth2/userinfo", "opaque")).toMatchObject({ body: { data: { ext: "bob" } } });
    expect(await call(url, "/oauth2/userinfo", "another")).toMatchObject({ status: 401 });
  });

  it("calls no token invalid while the provider does not answer", async () => {
    const { sign } = await startProvider();
    const token = await sign({ sub: "3b241101-e2bb-4255-8caf-4136c566a962" });
    const issuer = await startServer((_request, response) => void response.writeHead(500).end());
    const { url } = await startExample("own-identity-provider", { ISSUER: issuer });
    const answer = await call(url, "/oauth2/userId", token);
    expect(answer).toMatchObject({ status: 503, body: { data: { error: "storage_unavailable" } } });
  });
});
