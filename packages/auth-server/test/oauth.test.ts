import { operator } from "@telex/core";
import { createManualClock } from "@telex/conformance/testing";
import { createMemoryStorage } from "@telex/storage-memory";
import * as client from "openid-client";
import { describe, expect, it } from "vitest";
import { createSigningKeys } from "../src/oauth/keys.ts";
import { createSeal } from "../src/oauth/seal.ts";
import {
  allScopes,
  ask,
  countOf,
  failureOf,
  redirectUri,
  register,
  signIn,
  startOAuth,
  Tab,
  walk,
} from "./oauth-client.ts";
import { Browser, secretOf, textOf } from "./server.ts";

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const webUri = "https://app.example/cb";
const invalidGrant = { error: "invalid_grant" };

describe("the authorization server", () => {
  it("signs a person in to an application that knows nothing but the address", async () => {
    const scene = await startOAuth();
    const { app, alice } = scene;
    const tokens = await signIn(scene);
    expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 3600, scope: allScopes });
    expect(tokens.claims()).toMatchObject({ iss: scene.url, aud: app.id, sub: String(alice.id), name: "alice" });
    const info = await client.fetchUserInfo(app.config, tokens.access_token, String(alice.id));
    expect(info).toMatchObject({ sub: String(alice.id), name: "alice", preferred_username: "alice" });
    const anyone = new Browser(scene.url);
    expect(await anyone.get("/oauth2/userId", bearer(tokens.access_token))).toMatchObject({ data: { id: alice.id } });
    expect(await anyone.get("/teleprinter/devices", bearer(tokens.access_token))).toMatchObject({ status: 200 });
    expect(await anyone.get("/account", bearer(tokens.access_token))).toMatchObject({ status: 403 });
    expect(await anyone.get("/admin/users", bearer(tokens.access_token))).toMatchObject({ status: 403 });
  });

  it("names itself at both well-known addresses, whatever host a request names", async () => {
    const { url } = await startOAuth();
    for (const path of ["openid-configuration", "oauth-authorization-server"]) {
      const headers = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" };
      const response = await fetch(`${url}/.well-known/${path}`, { headers });
      const metadata: unknown = await response.json();
      expect(metadata).toMatchObject({ issuer: url, token_endpoint: `${url}/oauth2/token` });
      expect(JSON.stringify(metadata)).not.toContain("evil.example");
    }
  });

  it("asks for consent when a scope is new, and not again for a web application", async () => {
    const scene = await startOAuth({}, { redirectUris: [webUri], hasSecret: true });
    const { app, alice } = scene;
    const more = { redirect_uri: webUri, scope: "openid" };
    const silently = { ...more, prompt: "none" };
    const first = await walk(alice.browser, (await ask(app.config, silently)).url);
    expect(first.searchParams.get("error")).toBe("consent_required");
    await signIn(scene, more);
    const again = await ask(app.config, silently);
    const tokens = await client.authorizationCodeGrant(app.config, await walk(alice.browser, again.url), again.checks);
    expect(tokens.scope).toBe("openid");
    const wider = await walk(alice.browser, (await ask(app.config, { ...silently, scope: "openid chat" })).url);
    expect(wider.searchParams.get("error")).toBe("consent_required");
    const stranger = await walk(scene.browser(), again.url);
    expect(stranger.searchParams.get("error")).toBe("login_required");
  });

  it("asks every time for a program on the person's device, whose identity nothing proves", async () => {
    const scene = await startOAuth();
    await signIn(scene);
    const { url } = await ask(scene.app.config, { prompt: "none" });
    const answer = await walk(scene.alice.browser, url);
    expect(answer.searchParams.get("error")).toBe("interaction_required");
  });

  it("tells the application that the person refused, and gives no code", async () => {
    const { app, alice, url: issuer } = await startOAuth();
    const { url, checks } = await ask(app.config);
    const answer = await walk(alice.browser, url, false);
    expect(Object.fromEntries(answer.searchParams)).toMatchObject({ error: "access_denied", iss: issuer });
    expect(answer.searchParams.has("code")).toBe(false);
    expect(answer.searchParams.get("state")).toBe(checks.expectedState);
  });

  it("shows an error instead of redirecting to an address that the application has not registered", async () => {
    const { app, alice } = await startOAuth({}, { redirectUris: [webUri] });
    const tab = new Tab(alice.browser);
    for (const wrong of [
      "https://evil.example/cb",
      "https://app.example/cb/../x",
      "https://app.example:8443/cb",
      "https://app.example/cb?x",
      "https://app.example.evil.example/cb",
      "http://app.example/cb",
    ]) {
      const { url } = await ask(app.config, { redirect_uri: wrong });
      expect([wrong, await tab.go(url)]).toMatchObject([wrong, { status: 400, location: null }]);
    }
    const { url } = await ask(app.config, { redirect_uri: webUri, response_type: "token" });
    expect(await tab.go(url)).toMatchObject({ status: 303 });
  });

  it("never gives the scope admin, and only scopes that the application is registered for", async () => {
    const scene = await startOAuth({}, { scopes: ["openid", "profile", "chat"] });
    const { app, alice } = scene;
    await scene.telex.operator.users.amend(operator, { id: alice.id, role: "admin" });
    const tokens = await signIn(scene, { scope: "openid chat admin device:kitchen" });
    expect(tokens.scope).toBe("openid chat");
    const refused = await walk(alice.browser, (await ask(app.config, { scope: "chat device" })).url);
    expect(refused.searchParams.get("error")).toBe("invalid_scope");
  });

  it("gives access to devices alone", async () => {
    const scene = await startOAuth();
    const anyone = new Browser(scene.url);
    const { access_token: token } = await signIn(scene, { scope: "device" });
    const printer = { deviceId: "hall", name: "Printer" };
    expect(await anyone.post("/teleprinter/register", printer, bearer(token))).toMatchObject({ status: 200 });
    expect(await anyone.get("/im/groups", bearer(token))).toMatchObject({ status: 403 });
    expect(await anyone.get("/oauth2/userinfo", bearer(token))).toMatchObject({ status: 403 });
    const known = await signIn(scene, { scope: "openid" });
    expect(await anyone.get("/oauth2/userinfo", bearer(known.access_token))).toMatchObject({ status: 401 });
  });
});

describe("a code", () => {
  it("is worth tokens once, for 20 simultaneous callers, and nothing after it was shown twice", async () => {
    const { app, alice, url: server } = await startOAuth();
    const { url, checks } = await ask(app.config);
    const answer = await walk(alice.browser, url);
    const grant = async () => await client.authorizationCodeGrant(app.config, answer, checks);
    const all = await Promise.allSettled(Array.from({ length: 20 }, grant));
    expect(countOf(all)).toBe(1);
    const [token = ""] = all.flatMap((one) => (one.status === "fulfilled" ? [one.value.access_token] : []));
    expect(await new Browser(server).get("/oauth2/userId", bearer(token))).toMatchObject({ status: 401 });
  });

  it("that is shown again ends what it was worth: a thief may have been first", async () => {
    const { app, alice, url: server } = await startOAuth();
    const { url, checks } = await ask(app.config);
    const answer = await walk(alice.browser, url);
    const { access_token: token } = await client.authorizationCodeGrant(app.config, answer, checks);
    const status = async () => (await new Browser(server).get("/oauth2/userId", bearer(token))).status;
    expect(await status()).toBe(200);
    expect(await failureOf(client.authorizationCodeGrant(app.config, answer, checks))).toMatchObject(invalidGrant);
    expect(await status()).toBe(401);
  });

  it("is of no use without the secret of the request, to another application, or at another address", async () => {
    const scene = await startOAuth();
    const { app, alice } = scene;
    const other = await register(scene);
    const take = async (config: client.Configuration, checks: object, redirect = "http://127.0.0.1:7001/cb") => {
      const asked = await ask(app.config);
      const answer = await walk(alice.browser, asked.url);
      const url = new URL(redirect + answer.search);
      return await failureOf(client.authorizationCodeGrant(config, url, { ...asked.checks, ...checks }));
    };
    expect(await take(app.config, { pkceCodeVerifier: client.randomPKCECodeVerifier() })).toMatchObject(invalidGrant);
    expect(await take(app.config, { pkceCodeVerifier: undefined })).toMatchObject(invalidGrant);
    expect(await take(other.config, {})).toMatchObject(invalidGrant);
    expect(await take(app.config, {}, "http://127.0.0.1:7002/cb")).toMatchObject(invalidGrant);
  });

  it("is not given without PKCE, or with a plain challenge", async () => {
    const { app, alice } = await startOAuth();
    for (const method of ["plain", ""]) {
      const { url } = await ask(app.config, { code_challenge_method: method });
      expect((await walk(alice.browser, url)).searchParams.get("error")).toBe("invalid_request");
    }
    const { url } = await ask(app.config);
    const without = new URL(url);
    without.searchParams.delete("code_challenge");
    without.searchParams.delete("code_challenge_method");
    expect((await walk(alice.browser, without.href)).searchParams.get("error")).toBe("invalid_request");
  });

  it("goes to the person whose browser asked, although another one has answered the question", async () => {
    const { app, alice, member } = await startOAuth();
    const mallory = await member("mallory");
    const tab = new Tab(mallory.browser);
    const asked = await tab.go((await ask(app.config)).url);
    const uid = asked.location?.searchParams.get("uid") ?? "";
    const answered = await alice.browser.post(`/account/interactions/${uid}`, { allow: true });
    const redirectTo = textOf(answered, "redirectTo");
    const resumed = await tab.go(redirectTo);
    expect(resumed.location?.searchParams.has("code") ?? false).toBe(false);
    const elsewhere = await new Tab(alice.browser).go(redirectTo);
    expect(elsewhere).toMatchObject({ status: 400, location: null });
  });
});

describe("a question of an application", () => {
  it("is answered by the cookie of a session and from a page of the server only", async () => {
    const scene = await startOAuth();
    const { app, alice } = scene;
    const tokens = await signIn(scene);
    const uid = (await new Tab(alice.browser).go((await ask(app.config)).url)).location?.searchParams.get("uid") ?? "";
    const path = `/account/interactions/${uid}`;
    expect(await alice.browser.get(path)).toMatchObject({ data: { client: { name: "Tea timer" }, consent: true } });
    const foreign = { headers: { origin: "https://evil.example" } };
    expect(await alice.browser.post(path, { allow: true }, foreign)).toMatchObject({ error: "cross_origin" });
    const withToken = await new Browser(scene.url).post(path, { allow: true }, bearer(tokens.access_token));
    expect(withToken).toMatchObject({ status: 403, error: "not_allowed" });
    expect(await scene.browser().post(path, { allow: true })).toMatchObject({ status: 401 });
    expect(await alice.browser.post("/account/interactions/none", { allow: true })).toMatchObject({ status: 404 });
  });

  it("wants the password again where the application asks for a new sign-in", async () => {
    const { app, alice, clock } = await startOAuth({}, {}, 60_000);
    const asked = await new Tab(alice.browser).go((await ask(app.config, { prompt: "login" })).url);
    const path = `/account/interactions/${asked.location?.searchParams.get("uid") ?? ""}`;
    expect(await alice.browser.post(path, { allow: true })).toMatchObject({ error: "not_confirmed" });
    await clock.advance(120_000);
    await alice.browser.post("/account/confirm", { password: alice.password });
    expect(await alice.browser.post(path, { allow: true })).toMatchObject({ status: 200 });
  });
});

describe("a refresh token", () => {
  it("goes on as one line of tokens, for 20 simultaneous callers within the grace", async () => {
    const scene = await startOAuth();
    const { refresh_token: first = "" } = await signIn(scene);
    const refresh = async (token: string) => await client.refreshTokenGrant(scene.app.config, token);
    const all = await Promise.allSettled(Array.from({ length: 20 }, async () => await refresh(first)));
    const next = all.flatMap((one) => (one.status === "fulfilled" ? [one.value.refresh_token ?? ""] : []));
    expect(next.length).toBeGreaterThan(0);
    const living = [];
    for (const token of new Set(next)) {
      if (countOf(await Promise.allSettled([client.tokenIntrospection(scene.app.config, token)])) === 0) continue;
      const { active } = await client.tokenIntrospection(scene.app.config, token);
      if (active) living.push(token);
    }
    expect(living).toHaveLength(1);
  });

  it("that is used again after its successor was, or after the grace, ends the family", async () => {
    const scene = await startOAuth();
    const { config } = scene.app;
    const refresh = async (token = "") => await client.refreshTokenGrant(config, token);
    const first = await signIn(scene);
    const second = await refresh(first.refresh_token);
    const third = await refresh(second.refresh_token);
    expect(await failureOf(refresh(first.refresh_token))).toMatchObject(invalidGrant);
    expect(await failureOf(refresh(third.refresh_token))).toMatchObject(invalidGrant);
    const again = await signIn(scene);
    const next = await refresh(again.refresh_token);
    await scene.clock.advance(9_999);
    const replaced = await refresh(again.refresh_token);
    expect(await failureOf(refresh(next.refresh_token))).toMatchObject(invalidGrant);
    await scene.clock.advance(1);
    expect(await failureOf(refresh(again.refresh_token))).toMatchObject(invalidGrant);
    expect(await failureOf(refresh(replaced.refresh_token))).toMatchObject(invalidGrant);
    const access = await new Browser(scene.url).get("/oauth2/userId", bearer(replaced.access_token));
    expect(access).toMatchObject({ status: 401 });
  });

  it("works once where there is no grace", async () => {
    const scene = await startOAuth({ refreshGraceSeconds: 0 });
    const { refresh_token: first = "" } = await signIn(scene);
    const next = await client.refreshTokenGrant(scene.app.config, first);
    expect(await failureOf(client.refreshTokenGrant(scene.app.config, first))).toMatchObject(invalidGrant);
    expect(await failureOf(client.refreshTokenGrant(scene.app.config, next.refresh_token ?? ""))).toMatchObject(
      invalidGrant,
    );
  });

  it("is given to applications that are registered for it, and cannot widen its scopes", async () => {
    const scene = await startOAuth({}, { grants: ["code"] });
    expect((await signIn(scene)).refresh_token).toBeUndefined();
    const other = { ...scene, app: await register(scene) };
    const { refresh_token: token = "" } = await signIn(other, { scope: "openid chat" });
    const wider = client.refreshTokenGrant(other.app.config, token, { scope: "openid chat device" });
    expect(await failureOf(wider)).toMatchObject({ error: "invalid_scope" });
    const narrower = await client.refreshTokenGrant(other.app.config, token, { scope: "chat" });
    expect(narrower.scope).toBe("chat");
  });
});

describe("access that was granted", () => {
  it("ends with its revocation by the application, which nobody else can ask for or look at", async () => {
    const scene = await startOAuth({}, { hasSecret: true, redirectUris: [webUri] });
    const { app } = scene;
    const other = await register(scene, { hasSecret: true });
    const { access_token: token } = await signIn(scene, { redirect_uri: webUri });
    expect(await client.tokenIntrospection(app.config, token)).toMatchObject({ active: true, client_id: app.id });
    expect(await client.tokenIntrospection(other.config, token)).toEqual({ active: false });
    await client.tokenRevocation(other.config, token);
    expect(await client.tokenIntrospection(app.config, token)).toMatchObject({ active: true });
    await client.tokenRevocation(app.config, token);
    expect(await client.tokenIntrospection(app.config, token)).toEqual({ active: false });
    expect(await new Browser(scene.url).get("/oauth2/userId", bearer(token))).toMatchObject({ status: 401 });
  });

  it("is listed for the person, who ends it", async () => {
    const scene = await startOAuth();
    const { alice, app } = scene;
    const bob = await scene.member("bob");
    const tokens = await signIn(scene);
    const shown = { client: { id: app.id, name: "Tea timer" }, scopes: allScopes.split(" ") };
    expect(await alice.browser.get("/account/applications")).toMatchObject({ data: { list: [shown] } });
    const [grant] = await scene.storage.grants.listGrants(alice.id, scene.clock.now());
    const path = `/account/applications/${grant?.grantId ?? ""}`;
    expect(await bob.browser.delete(path)).toMatchObject({ status: 404 });
    expect(await alice.browser.delete(path)).toMatchObject({ status: 200 });
    expect(await alice.browser.get("/account/applications")).toMatchObject({ data: { list: [] } });
    const refresh = client.refreshTokenGrant(app.config, tokens.refresh_token ?? "");
    expect(await failureOf(refresh)).toMatchObject(invalidGrant);
    const call = await new Browser(scene.url).get("/oauth2/userId", bearer(tokens.access_token));
    expect(call).toMatchObject({ status: 401 });
  });

  it("leaves nothing alive when it ends while tokens are issued", async () => {
    const scene = await startOAuth();
    const { app, alice, storage, clock } = scene;
    for (let round = 0; round < 10; round += 1) {
      const { url, checks } = await ask(app.config);
      const answer = await walk(alice.browser, url);
      const [grant] = await storage.grants.listGrants(alice.id, clock.now());
      const issued = client.authorizationCodeGrant(app.config, answer, checks);
      const [tokens] = await Promise.allSettled([issued, storage.grants.endGrant({ grantId: grant?.grantId ?? "" })]);
      if (tokens.status === "rejected") continue;
      const call = await new Browser(scene.url).get("/oauth2/userId", bearer(tokens.value.access_token));
      expect(call).toMatchObject({ status: 401 });
    }
  });

  it("goes with an application that is removed", async () => {
    const scene = await startOAuth();
    const { app } = scene;
    const tokens = await signIn(scene);
    await scene.auth.operations.removeClient({ id: app.id });
    const call = await new Browser(scene.url).get("/oauth2/userId", bearer(tokens.access_token));
    expect(call).toMatchObject({ status: 401 });
    const refresh = client.refreshTokenGrant(app.config, tokens.refresh_token ?? "");
    expect(await failureOf(refresh)).toMatchObject({ error: "invalid_client" });
  });

  it("ends when the account is recovered", async () => {
    const scene = await startOAuth();
    const tokens = await signIn(scene);
    const { url } = await scene.auth.services.recovery.make(null, scene.alice.id);
    const sent = { secret: secretOf(url), password: "another long password" };
    expect(await scene.browser().post("/account/recover", sent)).toMatchObject({ status: 200 });
    const call = await new Browser(scene.url).get("/oauth2/userId", bearer(tokens.access_token));
    expect(call).toMatchObject({ status: 401 });
    const refresh = client.refreshTokenGrant(scene.app.config, tokens.refresh_token ?? "");
    expect(await failureOf(refresh)).toMatchObject(invalidGrant);
  });

  it("stops for a suspended person", async () => {
    const scene = await startOAuth();
    const tokens = await signIn(scene);
    await scene.storage.users.suspendUser(scene.alice.id, { suspended: true });
    const call = async () => await new Browser(scene.url).get("/oauth2/userId", bearer(tokens.access_token));
    expect(await call()).toMatchObject({ status: 401 });
    const refresh = async () => await failureOf(client.refreshTokenGrant(scene.app.config, tokens.refresh_token ?? ""));
    expect(await refresh()).toMatchObject(invalidGrant);
  });
});

describe("the secret of an application", () => {
  it("is needed for every token, and stored as a digest", async () => {
    const scene = await startOAuth({}, { hasSecret: true, redirectUris: [webUri] });
    const { app, url } = scene;
    const wrong = await client.discovery(new URL(url), app.id, {}, client.ClientSecretBasic("wrong"), {
      execute: [client.allowInsecureRequests],
    });
    const { url: asked, checks } = await ask(app.config, { redirect_uri: webUri });
    const answer = await walk(scene.alice.browser, asked);
    expect(await failureOf(client.authorizationCodeGrant(wrong, answer, checks))).toMatchObject({ status: 401 });
    const posted = await client.discovery(new URL(url), app.id, {}, client.ClientSecretPost(app.secret ?? ""), {
      execute: [client.allowInsecureRequests],
    });
    expect(await client.authorizationCodeGrant(posted, answer, checks)).toMatchObject({ scope: allScopes });
    expect(JSON.stringify(await scene.storage.grants.findClient(app.id))).not.toContain(app.secret);
  });

  it("is not given to an application whose addresses run in a browser or are reached without encryption", async () => {
    const { alice, telex } = await startOAuth();
    await telex.operator.users.amend(operator, { id: alice.id, role: "admin" });
    const add = async (redirectUris: readonly string[]) =>
      await alice.browser.post("/admin/clients", { name: "App", redirectUris });
    for (const wrong of [
      "javascript:alert(1)",
      "data:text/html,x",
      "http://app.example/cb",
      "https://a@b.example/",
      "x",
    ]) {
      expect([wrong, await add([wrong])]).toMatchObject([wrong, { status: 400 }]);
    }
    expect(await add([])).toMatchObject({ status: 400 });
    const good = await add(["https://app.example/cb", redirectUri, "com.example.app:/cb"]);
    expect(good).toMatchObject({ status: 200, data: { secret: null, grants: ["code", "refresh"] } });
  });
});

describe("the stores", () => {
  it("contain no value that opens something", async () => {
    const scene = await startOAuth({}, { hasSecret: true, redirectUris: [webUri] });
    const tokens = await signIn(scene, { redirect_uri: webUri });
    const { url } = await ask(scene.app.config, { redirect_uri: webUri });
    const code = (await walk(scene.alice.browser, url)).searchParams.get("code") ?? "none";
    const device = await client.initiateDeviceAuthorization(scene.app.config, { scope: "chat" });
    const secrets = [
      tokens.access_token,
      tokens.refresh_token,
      code,
      device.device_code,
      device.user_code,
      scene.app.secret,
    ];
    const stored: string[] = [];
    for (const kind of ["clients", "grants", "artifacts"] as const) {
      const records = await scene.storage.records.list(kind, { after: null, limit: 1000 });
      stored.push(...records.map((record) => JSON.stringify(record)));
    }
    expect(stored.length).toBeGreaterThan(3);
    for (const secret of secrets) expect(stored.filter((one) => one.includes(secret ?? "none"))).toEqual([]);
    const log = JSON.stringify([scene.log.lines, scene.log.security]);
    for (const secret of secrets) expect(log).not.toContain(secret);
  });

  it("keep the signing keys sealed, the same ones for all servers, and replace them in time", async () => {
    const clock = createManualClock(Date.now());
    const storage = createMemoryStorage({ clock });
    const [one, other] = [0, 1].map(() => createSigningKeys(storage.keys, clock, createSeal("a long secret")));
    const [first, same] = await Promise.all([one?.load(), other?.load()]);
    expect(first).toEqual(same);
    for (const { value } of await storage.keys.listKeys("oauth.")) expect(value).toMatch(/^sealed:/);
    const unsealed = createSigningKeys(storage.keys, clock, createSeal(undefined));
    await expect(unsealed.load()).rejects.toThrow("set secretKey");
    await clock.advance(90 * 86_400_000);
    const next = await one?.load();
    expect(next?.jwks.keys[0]?.kid).not.toBe(first?.jwks.keys[0]?.kid);
    expect(next?.jwks.keys.map(({ kid }) => kid)).toContain(first?.jwks.keys[0]?.kid);
    await clock.advance(180 * 86_400_000);
    expect((await one?.load())?.jwks.keys.map(({ kid }) => kid)).not.toContain(first?.jwks.keys[0]?.kid);
  });
});
