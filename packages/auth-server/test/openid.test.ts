import * as client from "openid-client";
import { describe, expect, it } from "vitest";
import { ask, failureOf, signIn, startOAuth, Tab, walk } from "./oauth-client.ts";

const webUri = "https://app.example/cb";

/** A web application with a secret, as the plans of the OpenID Foundation register it. */
const startWeb = async () => await startOAuth({}, { redirectUris: [webUri], hasSecret: true });

const web = { redirect_uri: webUri, scope: "openid profile" };

describe("discovery", () => {
  it("names what there is, with addresses of the issuer, and nothing that is refused", async () => {
    const { app, url } = await startWeb();
    const metadata = app.config.serverMetadata();
    expect(metadata).toMatchObject({
      issuer: url,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      claims_parameter_supported: false,
      scopes_supported: ["openid", "profile", "chat", "device"],
    });
    const endpoints = Object.entries(metadata).filter(([name]) => /_endpoint$|^jwks_uri$/.test(name));
    expect(endpoints.length).toBeGreaterThan(6);
    const isOwn = (address: unknown): boolean => typeof address === "string" && address.startsWith(`${url}/oauth2/`);
    expect(endpoints.filter(([, address]) => !isOwn(address))).toEqual([]);
    expect(["registration_endpoint", "end_session_endpoint"].filter((name) => name in metadata)).toEqual([]);
  });

  it("leads to the key that signed an ID token", async () => {
    const scene = await startWeb();
    client.enableNonRepudiationChecks(scene.app.config);
    const tokens = await signIn(scene, web);
    const [header = ""] = (tokens.id_token ?? "").split(".");
    const [, kid = "none"] = /"kid":"(\w+)"/.exec(Buffer.from(header, "base64url").toString()) ?? [];
    const keys = await (await fetch(scene.app.config.serverMetadata().jwks_uri ?? "")).text();
    expect(keys).toContain(`"kid":"${kid}"`);
    expect(keys).not.toContain('"d":');
  });
});

describe("user info", () => {
  it("is read with GET, with POST, and with a token in a form", async () => {
    const scene = await startWeb();
    const { access_token: token } = await signIn(scene, web);
    const address = scene.app.config.serverMetadata().userinfo_endpoint ?? "";
    const headers = { authorization: `Bearer ${token}` };
    const body = new URLSearchParams({ access_token: token });
    const requests = [{ headers }, { method: "POST", headers }, { method: "POST", body }];
    const all = await Promise.all(requests.map(async (init) => await fetch(address, init)));
    const about = { sub: String(scene.alice.id), name: "alice", preferred_username: "alice" };
    for (const response of all) expect(await response.json()).toMatchObject(about);
  });
});

describe("a request of an application", () => {
  it.each([
    ["without a nonce", {}],
    ["with its scopes in another order", { scope: "profile openid" }],
    ["with scopes of which Telex knows nothing", { scope: "openid profile email address phone" }],
    ["for a small page", { display: "popup" }],
    ["for a whole page", { display: "page" }],
    ["with a parameter that nobody knows", { extra: "foobar" }],
    ["with a name to sign in with", { login_hint: "alice" }],
    ["with languages", { ui_locales: "zh en", claims_locales: "zh en" }],
    ["with classes of authentication", { acr_values: "1 2" }],
    ["with claims that it wants in particular", { claims: '{"userinfo":{"name":{"essential":true}}}' }],
    ["for a sign-in that is young enough", { max_age: "10000" }],
  ])("is answered %s", async (_name, more) => {
    const scene = await startWeb();
    const tokens = await signIn(scene, { ...web, ...more });
    expect(tokens.scope?.split(" ").toSorted()).toEqual(["openid", "profile"]);
    expect(tokens.claims()).toMatchObject({ sub: String(scene.alice.id), name: "alice" });
    expect(tokens.claims()).not.toHaveProperty("email");
  });

  it("goes on silently for the person of an ID token, and for nobody else", async () => {
    const scene = await startWeb();
    const { id_token: hint = "" } = await signIn(scene, web);
    const silent = await ask(scene.app.config, { ...web, prompt: "none", id_token_hint: hint });
    expect((await walk(scene.alice.browser, silent.url)).searchParams.has("code")).toBe(true);
    const bob = await scene.member("bob");
    const other = await walk(bob.browser, silent.url);
    expect(other.searchParams.get("error")).toBe("login_required");
  });

  it("wants the password again where the last sign-in is too old", async () => {
    const { app, alice, clock, browser } = await startWeb();
    // The provider uses the real time.
    await clock.advance(-60_000);
    const earlier = browser();
    await earlier.post("/account/signIn", { username: "alice", password: alice.password });
    const asked = await new Tab(earlier).go((await ask(app.config, { ...web, max_age: "1" })).url);
    const uid = asked.location?.searchParams.get("uid") ?? "";
    expect(await earlier.get(`/account/interactions/${uid}`)).toMatchObject({ data: { confirm: true } });
  });

  it("is refused without a type of response", async () => {
    const { app, alice } = await startWeb();
    const url = new URL((await ask(app.config, web)).url);
    url.searchParams.delete("response_type");
    expect((await walk(alice.browser, url.href)).searchParams.get("error")).toBe("invalid_request");
  });

  it.each([
    ["request", "eyJhbGciOiJub25lIn0.e30.", "request_not_supported"],
    ["request_uri", "https://app.example/request.jwt", "request_uri_not_supported"],
  ])("is refused with the parameter %s, in which others could hide", async (name, value, error) => {
    const { app, alice } = await startWeb();
    const { url } = await ask(app.config, { ...web, [name]: value });
    expect((await walk(alice.browser, url)).searchParams.get("error")).toBe(error);
  });

  it("gets a new access token with a refresh token, for the same person", async () => {
    const scene = await startWeb();
    const first = await signIn(scene, web);
    const next = await client.refreshTokenGrant(scene.app.config, first.refresh_token ?? "");
    expect(next.access_token).not.toBe(first.access_token);
    expect(next.claims()).toMatchObject({ sub: String(scene.alice.id), aud: scene.app.id });
    expect(await failureOf(client.refreshTokenGrant(scene.app.config, "unknown"))).toMatchObject({
      error: "invalid_grant",
    });
  });
});
