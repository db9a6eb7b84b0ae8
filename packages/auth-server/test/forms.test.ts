import { readFileSync } from "node:fs";
import { request } from "node:http";
import { operator } from "@telex/core";
import { describe, expect, it } from "vitest";
import { style } from "../src/forms/look/style.ts";
import { type Browser, secretOf, start } from "./server.ts";

const carol = { username: "carol", nickname: "Carol Baker", password: "a long password" };

/** Submits a form as browsers do. White space of the page counts as one space. */
async function submit(browser: Browser, path: string, form: Readonly<Record<string, string>>) {
  const answer = await browser.open(path, { method: "POST", form });
  return { ...answer, text: answer.text.replaceAll(/\s+/g, " ") };
}

const paths = ["sign-in", "register", "join", "setup", "recover", "enter", "sign-out"].map((name) => `/user/${name}`);

describe("each form", () => {
  it.each(paths)(
    "%s allows nothing but itself, is kept by no cache, and lets itself be framed by nobody",
    async (path) => {
      const { browser } = await start({ registration: "open" }, { host: "localhost" });
      const { status, headers, text } = await browser().open(path);
      expect(status).toBe(200);
      const policy = headers.get("content-security-policy") ?? "";
      // The script of passkeys asks for options.
      const asks = ["/user/sign-in", "/user/register"].includes(path) ? ["connect-src 'self'"] : [];
      expect(policy.split("; ").filter((one) => !/'sha256-/.test(one))).toEqual([
        "default-src 'none'",
        "img-src 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
        ...asks,
        "form-action 'self'",
      ]);
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(text).toContain('<html lang="en">');
      expect(text.length).toBeLessThan(13_500);
    },
  );

  it.each(paths)("%s is in Chinese for whom wants that, in the address or in the header", async (path) => {
    const { browser } = await start({ registration: "open" });
    const byHeader = await browser().open(path, { headers: { "accept-language": "zh-TW,zh;q=0.9,en;q=0.8" } });
    const byAddress = await browser().open(`${path}?lang=zh`);
    for (const { text } of [byHeader, byAddress]) expect(text).toContain('<html lang="zh-CN">');
    const words = byAddress.text.slice(byAddress.text.indexOf("<main>")).replaceAll(/<[^>]*>/g, "");
    expect(words).not.toMatch(/[a-z]+ [a-z]+/);
  });

  it.each(paths)("%s refuses a page of another site, and shows where it should be opened", async (path) => {
    const { browser, url, storage } = await start({ registration: "open" });
    const attacks = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ];
    for (const headers of attacks) {
      const answer = await browser().open(path, {
        method: "POST",
        form: { ...carol, secret: "x" },
        headers: { ...headers, cookie: "" },
      });
      expect([403, 410]).toContain(answer.status);
      expect(answer.headers.get("set-cookie")).toBeNull();
      if (answer.status === 403) expect(answer.text).toContain(`href="${url}${path}"`);
    }
    expect(await storage.accounts.listAccounts({ after: 0, limit: 10 })).toHaveLength(0);
  });

  it("refuses a field that is there twice, a body that is no form, and one that is too large", async () => {
    const { browser, url } = await start();
    const post = async (body: string, type = "application/x-www-form-urlencoded") => {
      const headers = { origin: url, "content-type": type };
      return await fetch(`${url}/user/sign-in`, { method: "POST", headers, body });
    };
    const twice = await post("username=a&username=b&password=c");
    expect([twice.status, twice.headers.get("content-type")]).toEqual([400, "text/html; charset=utf-8"]);
    expect((await post("{}", "application/json")).status).toBe(415);
    expect((await post(`username=${"a".repeat(17_000)}`)).status).toBe(413);
    expect((await browser().open("/user/sign-in", { method: "DELETE" })).status).toBe(405);
  });
});

describe("signing in by the form", () => {
  it("begins a session, and leads to the page that was asked for", async () => {
    const { browser, member } = await start();
    await member("carol");
    const person = browser();
    const credentials = { username: " carol ", password: "carol's password", stay: "1" };
    const answer = await submit(person, "/user/sign-in", { ...credentials, to: "/user/rooms/7" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/user/rooms/7"]);
    expect(answer.headers.get("set-cookie")).toMatch(/; HttpOnly; SameSite=Lax; Max-Age=2592000$/);
    expect((await person.get("/account")).status).toBe(200);
    const again = await person.open("/user/sign-in?to=/user/files/");
    expect([again.status, again.headers.get("location")]).toEqual([303, "/user/files/"]);
  });

  it.each(["https://evil.example/", "//evil.example", "/\\evil.example", "/external/api/v1/iot/pairing", "\t//evil"])(
    "does not lead to %j",
    async (to) => {
      const { browser, member } = await start();
      await member("carol");
      const credentials = { username: "carol", password: "carol's password" };
      const posted = await submit(browser(), "/user/sign-in", { ...credentials, to });
      expect(posted.headers.get("location")).toBe("/user/");
      const person = browser();
      const address = `/user/sign-in?${new URLSearchParams({ to }).toString()}`;
      expect((await person.open(address)).text).toContain('name="to" value="/user/"');
      await submit(person, address, credentials);
      expect((await person.open(address)).headers.get("location")).toBe("/user/");
    },
  );

  it("says what is wrong, keeps the name and never the password", async () => {
    const { browser, member } = await start();
    await member("carol");
    const wrong = { username: '"><script>alert(1)</script>', password: "wrong password", to: "/user/chat/", stay: "1" };
    const answer = await submit(browser(), "/user/sign-in", wrong);
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('<p class="alert" role="alert">Username or password is wrong.</p>');
    expect(answer.text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
    expect(answer.text).toContain('name="to" value="/user/chat/"');
    expect(answer.text).toContain("checked");
    expect(answer.text).not.toContain("wrong password");
  });

  it("is stopped like the route after wrong passwords, with the seconds to wait", async () => {
    const { browser, member } = await start();
    await member("carol");
    const guess = (password: string) => submit(browser(), "/user/sign-in", { username: "carol", password });
    for (let round = 0; round < 10; round += 1) expect((await guess("wrong password")).status).toBe(403);
    const stopped = await guess("carol's password");
    expect(stopped.status).toBe(429);
    expect(stopped.text).toMatch(/Try again in \d+ s/);
  });

  it("ends with the form for signing out, which asks first", async () => {
    const { member } = await start();
    const { browser } = await member("carol");
    expect((await browser.open("/user/sign-out")).text).toContain("You are signed in as carol.");
    expect((await browser.get("/account")).status).toBe(200);
    const { cookie } = browser;
    const left = await submit(browser, "/user/sign-out", {});
    expect([left.status, left.headers.get("location")]).toEqual([303, "/user/sign-in"]);
    browser.cookie = cookie;
    expect((await browser.get("/account")).status).toBe(401);
  });
});

describe("a link on its form", () => {
  it("to join shows who invites to what, and then opens the account", async () => {
    const { browser, member, room, telex } = await start();
    const admin = await member("boss", "admin");
    const groupId = await room();
    const made = await admin.browser.post("/admin/invitations", { groups: [groupId], nickname: "Carol" });
    const secret = secretOf(/"url":"([^"]+)"/.exec(made.text)?.[1] ?? "");
    const person = browser();
    const seen = await submit(person, "/user/join", { secret: `  https://any.example/user/join#${secret} ` });
    expect(seen.status).toBe(200);
    expect(seen.text).toContain("boss invites you");
    expect(seen.text).toContain("Teahouse");
    expect(seen.text).toContain(`name="secret" value="${secret}"`);
    expect(seen.text).toContain('name="nickname" value="Carol"');
    const joined = await submit(person, "/user/join", { secret, username: "carol", password: "a long password" });
    expect([joined.status, joined.headers.get("location")]).toEqual([303, `/user/rooms/${groupId}`]);
    expect(await person.get("/account")).toMatchObject({ status: 200, data: { username: "carol", nickname: "Carol" } });
    const rooms = await telex.operator.groups.list(operator, { limit: 5 });
    expect(rooms).toHaveLength(1);
    const again = await submit(browser(), "/user/join", { secret });
    expect(again.status).toBe(410);
    expect(again.text).toContain("This link does not work any more.");
  });

  it.each([
    [{ username: "a" }, "username-error", "Must be 2 to 32 letters, digits and signs, without @ and spaces"],
    [{ username: "taken" }, "username-error", "This username is taken. Choose another one."],
    [{ password: "short" }, "password-error", "Choose another password: 8 to 256 characters"],
    [{ password: "" }, "password-error", ""],
  ])("says of %j, beside its line, what would be right", async (change, id, words) => {
    const { browser, invite, member } = await start();
    await member("taken");
    const answer = await submit(browser(), "/user/join", { secret: await invite(), ...carol, ...change });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text).toContain(`<p class="error" id="${id}">${words}`);
    expect(answer.text.match(/aria-invalid="true"/g)).toHaveLength(1);
    expect(answer.text).toContain('name="nickname" value="Carol Baker"');
    expect(answer.text).not.toContain("a long password");
  });

  it("to set the server up makes one admin", async () => {
    const { auth, browser } = await start();
    const link = await auth.services.setup.make("one");
    const secret = secretOf(link?.url ?? "");
    const person = browser();
    expect((await submit(person, "/user/setup", { secret })).text).toContain("The first account");
    expect((await submit(person, "/user/setup", { secret, ...carol })).status).toBe(303);
    expect(await person.get("/account")).toMatchObject({ data: { role: "admin" } });
    expect((await submit(browser(), "/user/setup", { secret })).status).toBe(410);
  });

  it("to recover an account shows whose it is, and sets the password", async () => {
    const { auth, browser, member } = await start();
    const { id } = await member("carol");
    const secret = secretOf((await auth.services.recovery.make(null, id)).url);
    const person = browser();
    const asked = await submit(person, "/user/recover", { secret });
    expect(asked.text).toContain('value="carol" autocomplete="username"');
    const weak = await submit(person, "/user/recover", { secret, password: "carol" });
    expect([weak.status, weak.text.includes('id="password-error"')]).toEqual([400, true]);
    expect((await submit(person, "/user/recover", { secret, password: "another password" })).status).toBe(303);
    expect((await person.get("/account")).status).toBe(200);
    expect((await submit(browser(), "/user/recover", { secret })).status).toBe(410);
  });

  it("of the demo signs in with a submitted form, and not with a request that fetches the page in advance", async () => {
    const { auth, browser, member } = await start();
    const { id } = await member("carol");
    const { url } = await auth.services.direct.make(id);
    const visitor = browser();
    const page = await visitor.open(new URL(url).pathname);
    expect([page.status, page.headers.get("set-cookie")]).toEqual([200, null]);
    expect((await submit(visitor, "/user/enter", { secret: secretOf(url) })).status).toBe(303);
    expect(await visitor.get("/account")).toMatchObject({ data: { username: "carol" } });
    await auth.services.direct.make(id);
    expect((await submit(browser(), "/user/enter", { secret: secretOf(url) })).status).toBe(410);
  });

  it("of the demo needs no click, unless somebody is signed in, or another site led to it", async () => {
    const { auth, browser, member } = await start();
    const { id } = await member("alice");
    const secret = secretOf((await auth.services.direct.make(id)).url);
    const person = browser();
    const itself = /<form[^>]*data-submit/;
    const open = async (site: string) =>
      (await person.open("/user/enter", { headers: { "sec-fetch-site": site } })).text;
    expect(await open("none")).toMatch(itself);
    expect(await open("cross-site")).not.toMatch(itself);
    expect((await submit(person, "/user/enter", { secret })).status).toBe(303);
    expect(await person.get("/account")).toMatchObject({ data: { username: "alice" } });
    const again = await open("none");
    expect(again).toContain("You are signed in as alice.");
    expect(again).not.toMatch(itself);
    expect((await submit(browser(), "/user/enter", { secret: "x" })).status).toBe(410);
  });

  it("stays unused for whoever only looks at it", async () => {
    const { browser, invite } = await start();
    const secret = await invite();
    for (let round = 0; round < 3; round += 1)
      expect((await submit(browser(), "/user/join", { secret })).status).toBe(200);
    expect((await submit(browser(), "/user/join", { secret, ...carol })).status).toBe(303);
  });
});

describe("registration", () => {
  it("is offered only where everybody may open an account", async () => {
    const open = await start({ registration: "open" });
    expect((await open.browser().open("/user/sign-in")).text).toContain('href="/user/register"');
    const person = open.browser();
    expect((await submit(person, "/user/register", carol)).status).toBe(303);
    expect(await person.get("/account")).toMatchObject({ data: { nickname: "Carol Baker", role: null } });
    const invited = await start();
    expect((await invited.browser().open("/user/sign-in")).text).not.toContain("/user/register");
    expect((await invited.browser().open("/user/register")).status).toBe(403);
    expect((await submit(invited.browser(), "/user/register", carol)).status).toBe(403);
  });
});

it("the forms have the colours of the pages", () => {
  const pages = readFileSync(new URL("../../web/src/styles/tokens.css", import.meta.url), "utf8").replaceAll(
    /\s+/g,
    " ",
  );
  const read = (text: string) =>
    new Map([...text.matchAll(/--([\w-]+): ?(#\w{6})/g)].map(([, name, value]) => [name, value]));
  const [light = "", dark = ""] = pages.split("@media (prefers-color-scheme: dark)");
  const [day = "", night = ""] = style.split("@media (prefers-color-scheme:dark)");
  const shared = [
    "desk",
    "surface",
    "desk-edge",
    "on-desk",
    "on-desk-quiet",
    "paper",
    "paper-edge",
    "ink",
    "ink-pale",
    "ribbon",
  ];
  const colours = (text: string) => shared.map((name) => [name, read(text).get(name)]);
  expect(colours(day)).toEqual(colours(light));
  expect(colours(night)).toEqual(colours(dark));
});

describe("over HTTP beyond this machine", () => {
  it("the forms say why signing in is off, and nobody can sign in", async () => {
    const { auth, browser } = await start({ baseUrl: "http://telex.lan:7700" });
    for (const path of paths) {
      const answer = await browser().open(path);
      expect(answer.status).toBe(403);
      expect(answer.text).toContain("Signing in is off");
      expect(answer.text).toContain('href="/user/token"');
      expect(answer.text).not.toContain("<form");
    }
    const secret = secretOf((await auth.services.setup.make("one"))?.url ?? "");
    const setup = await browser().post(
      "/account/setup",
      { secret, ...carol },
      { headers: { origin: "http://telex.lan:7700" } },
    );
    expect(setup).toMatchObject({ status: 403, error: "cross_origin" });
  });

  it("a server of this machine says so to whoever reaches it under another address", async () => {
    const { url } = await start();
    const status = await new Promise<number | undefined>((resolve) => {
      const call = request(`${url}/user/sign-in`, { headers: { host: "192.168.1.5:7700" } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      call.end();
    });
    expect(status).toBe(403);
  });
});
