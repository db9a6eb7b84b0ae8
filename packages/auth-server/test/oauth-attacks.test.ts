import * as client from "openid-client";
import { describe, expect, it } from "vitest";
import { ask, decide, failureOf, startOAuth, Tab, walk } from "./oauth-client.ts";
import { start } from "./server.ts";

const webUri = "https://app.example/cb";
const web = { redirectUris: [webUri] };

/** The id of the question to which a browser was sent. */
const uidOf = (location: URL | null): string => location?.searchParams.get("uid") ?? "";

describe("mix-up", () => {
  it("is noticed by an application of several providers: each answer names its provider", async () => {
    const { app, alice, url: issuer } = await startOAuth();
    expect(app.config.serverMetadata()["authorization_response_iss_parameter_supported"]).toBe(true);
    const { url, checks } = await ask(app.config);
    const answer = await walk(alice.browser, url);
    expect(answer.searchParams.get("iss")).toBe(issuer);
    const mixed = new URL(answer);
    mixed.searchParams.set("iss", "https://evil.example");
    expect(await failureOf(client.authorizationCodeGrant(app.config, mixed, checks))).toBeInstanceOf(Error);
    mixed.searchParams.delete("iss");
    expect(await failureOf(client.authorizationCodeGrant(app.config, mixed, checks))).toBeInstanceOf(Error);
    expect(await client.authorizationCodeGrant(app.config, answer, checks)).toMatchObject({ token_type: "bearer" });
  });
});

describe("redirect confusion", () => {
  it("leads a program on the person's device to its own address only, on any port", async () => {
    const { app, alice } = await startOAuth();
    const tab = new Tab(alice.browser);
    const open = async (redirect: string) => await tab.go((await ask(app.config, { redirect_uri: redirect })).url);
    expect((await open("http://127.0.0.1:65000/cb")).location?.pathname).toBe("/user/consent");
    for (const wrong of [
      "http://127.0.0.1:7001/cb/",
      "http://127.0.0.1:7001/cb/../evil",
      "http://127.0.0.1:7001/CB",
      "http://127.0.0.1:7001/cb?x=1",
      "http://127.0.0.1:7001/cb#x",
      "http://127.0.0.1.evil.example/cb",
      "http://127.0.0.1:7001@evil.example/cb",
      "http://evil.example/cb?http://127.0.0.1/cb",
      "http://127.0.0.2:7001/cb",
      "http://0x7f000001:7001/cb",
      "http://localhost:7001/cb",
      "https://127.0.0.1:7001/cb",
      "//evil.example/cb",
      "javascript:alert(1)",
    ]) {
      expect([wrong, await open(wrong)]).toMatchObject([wrong, { status: 400, location: null }]);
    }
  });

  it("fails with a parameter that is there twice, and with requests in the request", async () => {
    const { app, alice } = await startOAuth({}, web);
    const tab = new Tab(alice.browser);
    const { url } = await ask(app.config, { redirect_uri: webUri });
    const unsigned = "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.";
    for (const [more, error] of [
      [`redirect_uri=${encodeURIComponent("https://evil.example/cb")}`, "invalid_request"],
      ["state=x", "invalid_request"],
      [`request=${unsigned}`, "request_not_supported"],
      [`request_uri=${encodeURIComponent("http://127.0.0.1:1/request")}`, "request_uri_not_supported"],
      [`id_token_hint=${unsigned}`, "invalid_request"],
    ]) {
      const { location } = await tab.go(`${url}&${more}`);
      expect([more, location?.origin, location?.searchParams.get("error")]).toEqual([
        more,
        "https://app.example",
        error,
      ]);
    }
  });
});

describe("grants", () => {
  it("are code, refresh and device, and no other", async () => {
    const { app, url } = await startOAuth();
    expect(app.config.serverMetadata()).toMatchObject({
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      scopes_supported: ["openid", "profile", "chat", "device"],
    });
    for (const grant of ["password", "client_credentials", "urn:ietf:params:oauth:grant-type:jwt-bearer", "implicit"]) {
      const body = new URLSearchParams({ client_id: app.id, grant_type: grant, username: "alice", password: "x" });
      const response = await fetch(`${url}/oauth2/token`, { method: "POST", body });
      expect([grant, response.status]).toEqual([grant, 400]);
    }
  });
});

describe("a code that waits", () => {
  it("is worth nothing after a minute", async () => {
    const { app, alice, clock } = await startOAuth();
    const { url, checks } = await ask(app.config);
    const answer = await walk(alice.browser, url);
    await clock.advance(60_000);
    const late = client.authorizationCodeGrant(app.config, answer, checks);
    expect(await failureOf(late)).toMatchObject({ error: "invalid_grant" });
  });
});

describe("a question of an application", () => {
  it("that is answered 8 times simultaneously makes one grant, from the page and from a code", async () => {
    const { app, alice, storage, clock } = await startOAuth();
    const uid = uidOf((await new Tab(alice.browser).go((await ask(app.config)).url)).location);
    const { user_code: code } = await client.initiateDeviceAuthorization(app.config, { scope: "chat" });
    await alice.browser.post("/account/device/lookup", { code });
    const times = Array.from({ length: 8 });
    await Promise.all(times.map(() => decide(alice.browser, uid, true)));
    const granted = async () => (await storage.grants.listGrants(alice.id, clock.now())).length;
    expect(await granted()).toBe(1);
    const approve = () => alice.browser.post("/account/device/approve", { code, allow: true });
    const statuses = (await Promise.all(times.slice(4).map(approve))).map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(await granted()).toBe(2);
  });

  it("of a stranger whom another person answers signs the stranger in as nobody", async () => {
    const { app, alice, browser, url: issuer } = await startOAuth();
    const tab = new Tab(browser());
    const uid = uidOf((await tab.go((await ask(app.config)).url)).location);
    const { location } = await tab.go(await decide(alice.browser, uid, true));
    expect(Object.fromEntries(location?.searchParams ?? [])).toMatchObject({ error: "access_denied", iss: issuer });
    expect(location?.searchParams.has("code")).toBe(false);
  });
});

describe("what strangers have stored", () => {
  it("is bounded for a network: 300 codes that wait for a person in half an hour", async () => {
    const { storage, url, clock } = await start({}, { trustProxy: 1 });
    const show = async (address: string): Promise<unknown> => {
      const body = new URLSearchParams({ client_id: "telex-cli", scope: "chat" });
      const headers = { "x-forwarded-for": address };
      return await (await fetch(`${url}/oauth2/device`, { method: "POST", headers, body })).json();
    };
    const all = await Promise.all(Array.from({ length: 310 }, (_, index) => show(`2001:db8::${index + 1}`)));
    const refused = all.filter((one) => JSON.stringify(one).includes("temporarily_unavailable"));
    expect(refused).toHaveLength(10);
    expect(await storage.grants.sweepGrants({ now: clock.now() + 600_000, limit: 1000 })).toBe(300);
    expect(await show("2001:db8:0:1::1")).toMatchObject({ expires_in: 600 });
    await clock.advance(1_800_000);
    expect(await show("2001:db8::1")).toMatchObject({ expires_in: 600 });
  });

  it("is short, and read from short bodies only", async () => {
    const { app, alice, url } = await startOAuth({}, web);
    const long = await ask(app.config, { redirect_uri: webUri, nonce: "n".repeat(12_000) });
    const { location } = await new Tab(alice.browser).go(long.url);
    expect(location?.searchParams.get("error")).toBe("invalid_request");
    const post = async (path: string, body: string): Promise<number> => {
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const response = await fetch(`${url}/oauth2/${path}`, { method: "POST", headers, body });
      await response.arrayBuffer();
      return response.status;
    };
    const asked = "client_id=telex-cli&scope=chat";
    expect(await post("device", `${asked}&login_hint=${"x".repeat(20_000)}`)).toBe(400);
    expect(await post("device", `${asked}&client_id=telex-cli`)).toBe(400);
    const many = Array.from({ length: 20_000 }, (_, index) => `a${index}=`).join("&");
    for (const path of ["token", "device", "introspect", "revoke"]) {
      expect([path, await post(path, `${asked}&x=${"x".repeat(2 ** 20)}`)]).toEqual([path, 400]);
      expect([path, await post(path, many)]).toEqual([path, 400]);
    }
    expect(await post("device", asked)).toBe(200);
  });
});
