import * as client from "openid-client";
import { expect, it } from "vitest";
import { ask, startOAuth, Tab } from "./oauth-client.ts";

const webUri = "https://app.example/cb";
const webOptions = { redirectUris: [webUri], name: "<b>Tea & timer</b>" };

it("consent without script: sign in, see who asks for what, allow, and come back to the application", async () => {
  const { app, alice, browser } = await startOAuth({}, webOptions);
  const { url, checks } = await ask(app.config, { redirect_uri: webUri });
  const stranger = browser();
  const tab = new Tab(stranger);
  const asked = await tab.go(url);
  const consent = `${asked.location?.pathname ?? ""}${asked.location?.search ?? ""}`;
  const toSignIn = await stranger.open(consent);
  expect(toSignIn.headers.get("location")).toBe(`/user/sign-in?to=${encodeURIComponent(consent)}`);
  const form = { username: "alice", password: alice.password, to: consent };
  const signedIn = await stranger.open("/user/sign-in", { method: "POST", form });
  expect(signedIn.headers.get("location")).toBe(consent);
  // Signing in was the first question: the browser continues to the second one.
  const resume = await stranger.open(consent);
  expect(resume.status).toBe(303);
  const second = await tab.go(resume.headers.get("location") ?? "");
  const uid = second.location?.searchParams.get("uid") ?? "";
  const page = await stranger.open(`/user/consent?uid=${uid}&lang=en`);
  expect(page.text).toContain("&lt;b&gt;Tea &amp; timer&lt;/b&gt; wants access");
  expect(page.text).toContain("read and write messages");
  expect(page.headers.get("content-security-policy")).toContain("form-action 'self' https://app.example");
  expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(page.headers.get("referrer-policy")).toBe("same-origin");
  const sent = { uid, answer: "allow" };
  const foreign = { origin: "https://evil.example" };
  expect(await stranger.open("/user/consent", { method: "POST", form: sent, headers: foreign })).toMatchObject({
    status: 403,
  });
  const allowed = await stranger.open("/user/consent", { method: "POST", form: sent });
  expect(allowed.status).toBe(303);
  const back = await tab.go(allowed.headers.get("location") ?? "");
  expect(back).toMatchObject({ status: 303 });
  const answer = back.location ?? new URL("about:blank");
  expect(answer.origin).toBe("https://app.example");
  expect((await client.authorizationCodeGrant(app.config, answer, checks)).claims()?.sub).toBe(String(alice.id));
});

it("a request that leads nowhere is explained on a page in the look of the others", async () => {
  const { alice, url } = await startOAuth();
  const tab = new Tab(alice.browser);
  const headers = { accept: "text/html", "accept-language": "en" };
  const shown = await tab.go(`${url}/oauth2/authorize?client_id=nobody&response_type=code`, headers);
  expect(shown).toMatchObject({ status: 400, location: null });
  expect(shown.text).toContain("That did not work");
});

it("a password is asked for where the application wants a new sign-in", async () => {
  const { app, alice, clock } = await startOAuth({}, webOptions, 60_000);
  const tab = new Tab(alice.browser);
  await clock.advance(60_000);
  const asked = await tab.go((await ask(app.config, { redirect_uri: webUri, prompt: "login" })).url);
  const uid = asked.location?.searchParams.get("uid") ?? "";
  expect((await alice.browser.open(`/user/consent?uid=${uid}`)).text).toContain('name="password"');
  const send = async (password: string) =>
    await alice.browser.open("/user/consent", { method: "POST", form: { uid, password } });
  expect(await send("wrong")).toMatchObject({ status: 403 });
  expect(await send(alice.password)).toMatchObject({ status: 303 });
});
