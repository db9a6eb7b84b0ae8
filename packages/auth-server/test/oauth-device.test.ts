import * as client from "openid-client";
import { describe, expect, it } from "vitest";
import { commandLine, failureOf, register, startOAuth } from "./oauth-client.ts";
import { Browser } from "./server.ts";

/** A program that shows a code, and a person who is signed in. */
async function show(options: Parameters<typeof startOAuth>[0] = {}) {
  const scene = await startOAuth(options);
  const config = await commandLine(scene);
  const shown = await client.initiateDeviceAuthorization(config, { scope: "openid profile chat device" });
  const poll = async () =>
    await client.genericGrantRequest(config, "urn:ietf:params:oauth:grant-type:device_code", {
      device_code: shown.device_code,
    });
  return { ...scene, config, shown, code: shown.user_code, poll };
}

const page = (text: string) => ({ text: expect.stringContaining(text) as unknown });

describe("a program that shows a code", () => {
  it("is signed in when the person allows it, and once for 20 simultaneous polls", async () => {
    const { alice, code, shown, poll, url } = await show();
    expect(shown).toMatchObject({ verification_uri: `${url}/user/device`, expires_in: 600 });
    expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(await failureOf(poll())).toMatchObject({ error: "authorization_pending" });
    const looked = await alice.browser.post("/account/device/lookup", { code: code.toLowerCase().replace("-", " ") });
    expect(looked).toMatchObject({
      data: { client: { id: "telex-cli" }, scopes: ["openid", "profile", "chat", "device"] },
    });
    expect(await alice.browser.post("/account/device/approve", { code, allow: true })).toMatchObject({ status: 200 });
    const polls = await Promise.allSettled(Array.from({ length: 20 }, poll));
    const [tokens, ...others] = polls.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(others).toEqual([]);
    const headers = { authorization: `Bearer ${tokens?.access_token ?? ""}` };
    expect(await new Browser(url).get("/oauth2/userId", { headers })).toMatchObject({ data: { id: alice.id } });
    expect(tokens?.claims()?.sub).toBe(String(alice.id));
  });

  it("learns that the person refused, and the code is used up", async () => {
    const { alice, code, poll } = await show();
    await alice.browser.post("/account/device/lookup", { code });
    await alice.browser.post("/account/device/approve", { code, allow: false });
    expect(await failureOf(poll())).toMatchObject({ error: "access_denied" });
    expect(await alice.browser.post("/account/device/approve", { code, allow: true })).toMatchObject({ status: 404 });
  });

  it("is answered by the session that looked the code up first, and by no other", async () => {
    const { alice, member, code, poll } = await show();
    const mallory = await member("mallory");
    expect(await alice.browser.post("/account/device/approve", { code, allow: true })).toMatchObject({ status: 404 });
    await alice.browser.post("/account/device/lookup", { code });
    expect(await mallory.browser.post("/account/device/lookup", { code })).toMatchObject({ status: 404 });
    expect(await mallory.browser.post("/account/device/approve", { code, allow: true })).toMatchObject({ status: 404 });
    expect(await failureOf(poll())).toMatchObject({ error: "authorization_pending" });
  });

  it("cannot be found by guessing: 500 wrong codes are stopped, also those of many people", async () => {
    const { alice, storage, code, member } = await show();
    const guess = async (browser: Browser, number: number) =>
      (await browser.post("/account/device/lookup", { code: `BBBB-${String(number).padStart(4, "C")}` })).status;
    const statuses = await Promise.all(
      Array.from({ length: 500 }, async (_, number) => await guess(alice.browser, number)),
    );
    expect(statuses.filter((status) => status === 404)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(495);
    const bob = await member("bob");
    expect(await bob.browser.post("/account/device/lookup", { code })).toMatchObject({ status: 200 });
    expect(await storage.grants.sweepGrants({ now: 0, limit: 1 })).toBe(0);
  });

  it("is not known any more after ten minutes", async () => {
    const { alice, clock, code, poll } = await show();
    await clock.advance(600_000);
    expect(await alice.browser.post("/account/device/lookup", { code })).toMatchObject({ status: 404 });
    expect(await failureOf(poll())).toMatchObject({ error: "expired_token" });
  });

  it.each([2, 5])(
    "may ask every %i seconds, with delays, for ten minutes, and is never told to slow down",
    async (pause) => {
      const { clock, poll } = await show();
      const answers = new Set<unknown>();
      for (let at = 0; at < 590; at += pause) {
        answers.add(Reflect.get(Object(await failureOf(poll())), "error"));
        // Up to half a second earlier or later, in turn.
        await clock.advance(pause * 1000 + (at % 3) * 500 - 500);
      }
      expect([...answers]).toEqual(["authorization_pending"]);
    },
  );

  it("cannot be the command line where that is switched off, or an application without the grant", async () => {
    const { url } = await startOAuth({ commandLine: false });
    const body = new URLSearchParams({ client_id: "telex-cli", scope: "chat" });
    const refused = await fetch(`${url}/oauth2/device`, { method: "POST", body });
    expect(await refused.json()).toMatchObject({ error: "invalid_client" });
    const scene = await startOAuth();
    const other = await register(scene, { grants: ["code"] });
    const asked = client.initiateDeviceAuthorization(other.config, { scope: "chat" });
    expect(await failureOf(asked)).toMatchObject({ error: "invalid_request" });
  });
});

describe("the pages without script", () => {
  it("connect a program: sign in, type the code, see who asks, allow", async () => {
    const { alice, code, poll, browser } = await show();
    const stranger = browser();
    const first = await stranger.open("/user/device?user_code=ABC", { headers: { "accept-language": "en" } });
    expect(first).toMatchObject({ status: 303 });
    expect(first.headers.get("location")).toBe("/user/sign-in?to=%2Fuser%2Fdevice%3Fuser_code%3DABC");
    const open = async (form?: Readonly<Record<string, string>>) =>
      await alice.browser.open("/user/device?lang=en", form === undefined ? {} : { method: "POST", form });
    expect(await open()).toMatchObject(page('name="code"'));
    expect(await open({ code: "WRNG-CODE" })).toMatchObject({ status: 404, ...page("No program is waiting") });
    const asked = await open({ code });
    expect(asked).toMatchObject(page("telex (command line) wants access"));
    expect(asked).toMatchObject(page("Someone who sent you a code"));
    expect(await open({ code, answer: "allow" })).toMatchObject(page("Connected"));
    expect(await poll()).toMatchObject({ token_type: "bearer" });
  });

  it("take no answer from a page of another site, and are shown in no frame", async () => {
    const { alice, code, poll } = await show();
    const form = { code, answer: "allow" };
    await alice.browser.post("/account/device/lookup", { code });
    for (const origin of ["https://evil.example", "null"]) {
      const answer = await alice.browser.open("/user/device", { method: "POST", form, headers: { origin } });
      expect(answer).toMatchObject({ status: 403 });
    }
    expect(await failureOf(poll())).toMatchObject({ error: "authorization_pending" });
    const { headers } = await alice.browser.open("/user/device");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  });
});
