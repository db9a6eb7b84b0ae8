import * as client from "openid-client";
import { describe, expect, it } from "vitest";
import { ask, failureOf, register, signIn, startOAuth, Tab, walk } from "./oauth-client.ts";
import { Browser, start } from "./server.ts";

const webUri = "https://app.example/cb";
const hall = "device:hall";

const headersOf = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

/** The answers of a server to an application about its device, about another device, and about everything else. */
async function statusesAt(url: string, token: string): Promise<readonly number[]> {
  const anyone = new Browser(url);
  const send = async (deviceId: string) =>
    (await anyone.post("/teleprinter/send", { deviceId, content: "tea" }, headersOf(token))).status;
  const rooms = await anyone.get("/im/groups", headersOf(token));
  return [await send("hall"), await send("cellar"), rooms.status];
}

/** A person with two devices, and an application that asks for one of them. */
async function scenery(...[options, wish]: Parameters<typeof startOAuth>) {
  const scene = await startOAuth(options, wish);
  const { browser } = scene.alice;
  for (const [deviceId, name] of Object.entries({ hall: "Printer", cellar: "Boiler" }))
    await browser.post("/teleprinter/register", { deviceId, name });
  return scene;
}

describe("an application that asks for one device", () => {
  it("gets this one and no other, on each of three servers, also with a refreshed token", async () => {
    const scene = await scenery();
    const others = [await start({}, { beside: scene }), await start({}, { beside: scene })];
    const first = await signIn(scene, { scope: hall });
    expect(first.scope).toBe(hall);
    const second = await client.refreshTokenGrant(scene.app.config, first.refresh_token ?? "");
    expect(second.scope).toBe(hall);
    for (const { url } of [scene, ...others])
      for (const { access_token: token } of [first, second])
        expect(await statusesAt(url, token)).toEqual([200, 403, 403]);
  });

  it("learns who the person is as well, and the provider names the device in what it says of the token", async () => {
    const scene = await scenery({}, { hasSecret: true, redirectUris: [webUri] });
    const { app, alice } = scene;
    const more = { redirect_uri: webUri };
    const tokens = await signIn(scene, { ...more, scope: `openid profile ${hall}` });
    expect(tokens.claims()?.sub).toBe(String(alice.id));
    expect(await statusesAt(scene.url, tokens.access_token)).toEqual([200, 403, 403]);
    const info = await client.fetchUserInfo(app.config, tokens.access_token, String(alice.id));
    expect(info).toMatchObject({ name: "alice" });
    const introspect = async (token: string) => await client.tokenIntrospection(app.config, token);
    expect(await introspect(tokens.access_token)).toMatchObject({ active: true, scope: `openid profile ${hall}` });
    const alone = await signIn(scene, { ...more, scope: hall });
    expect(await introspect(alone.access_token)).toMatchObject({ active: true, scope: hall, aud: scene.url });
    const narrowed = await client.refreshTokenGrant(app.config, tokens.refresh_token ?? "", { scope: hall });
    expect(narrowed.scope).toBe(hall);
    expect(await alice.browser.get("/account/applications")).toMatchObject({
      data: { list: [{ scopes: ["openid", "profile", hall] }] },
    });
  });

  it("is asked about by the device's name, which nobody but its owner learns", async () => {
    const scene = await scenery();
    const { app } = scene;
    const mallory = await scene.member("mallory");
    const lineFor = async (browser: Browser): Promise<string> => {
      const { location } = await new Tab(browser).go((await ask(app.config, { scope: hall })).url);
      const page = await browser.open(`${location?.pathname ?? ""}${location?.search ?? ""}&lang=en`);
      return /<li>(.*?)<\/li>/.exec(page.text)?.[1] ?? page.text;
    };
    expect(await lineFor(scene.alice.browser)).toBe("print on your device “Printer” (hall) and read from it");
    expect(await lineFor(mallory.browser)).toBe("print on the device “hall” and read from it, once you have one");
    const { access_token: token } = await signIn({ ...scene, alice: mallory }, { scope: hall });
    expect(await statusesAt(scene.url, token)).toEqual([403, 403, 403]);
  });

  it("asks again for another device, and not again for the same one", async () => {
    const scene = await scenery({}, { hasSecret: true, redirectUris: [webUri] });
    const { app, alice } = scene;
    const silently = async (scope: string) =>
      await walk(alice.browser, (await ask(app.config, { redirect_uri: webUri, prompt: "none", scope })).url);
    await signIn(scene, { redirect_uri: webUri, scope: hall });
    expect((await silently(hall)).searchParams.has("code")).toBe(true);
    for (const wider of ["device:cellar", `${hall} device:cellar`, "device"])
      expect([wider, (await silently(wider)).searchParams.get("error")]).toEqual([wider, "consent_required"]);
  });

  it("gets it with a code that it shows, and the person reads which device it is", async () => {
    const scene = await scenery();
    const { app, alice } = scene;
    const shown = await client.initiateDeviceAuthorization(app.config, { scope: hall });
    const form = { code: shown.user_code };
    const asked = await alice.browser.open("/user/device?lang=en", { method: "POST", form });
    expect(asked.text).toContain("your device “Printer” (hall)");
    await alice.browser.open("/user/device", { method: "POST", form: { ...form, answer: "allow" } });
    const grant = "urn:ietf:params:oauth:grant-type:device_code";
    const tokens = await client.genericGrantRequest(app.config, grant, { device_code: shown.device_code });
    expect(tokens.scope).toBe(hall);
    expect(await statusesAt(scene.url, tokens.access_token)).toEqual([200, 403, 403]);
  });

  it("cannot widen a token, name another resource, or ask without being registered for devices", async () => {
    const scene = await scenery();
    const { app, alice } = scene;
    const { refresh_token: token = "" } = await signIn(scene, { scope: hall });
    for (const wider of ["device", "device:cellar", `${hall} chat`]) {
      const wish = client.refreshTokenGrant(app.config, token, { scope: wider });
      expect([wider, await failureOf(wish)]).toMatchObject([wider, { error: "invalid_scope" }]);
    }
    const elsewhere = await ask(app.config, { scope: hall, resource: "https://evil.example" });
    expect((await walk(alice.browser, elsewhere.url)).searchParams.get("error")).toBe("invalid_target");
    const chat = { ...scene, app: await register(scene, { scopes: ["openid", "chat"] }) };
    expect((await signIn(chat, { scope: `chat ${hall}` })).scope).toBe("chat");
    expect((await signIn(chat, { scope: `chat ${hall}`, resource: scene.url })).scope).toBe("chat");
  });
});
