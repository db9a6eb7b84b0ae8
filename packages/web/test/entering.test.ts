import { operator } from "@telex/core";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { faultless, faultsOf, looks } from "./axe.ts";
import { openAt, openPage, useBrowser } from "./browser.ts";
import { serveForeignPage, sessionsIn, useAccounts } from "./accounts.ts";
import { useDevice } from "./device.ts";

const browser = useBrowser();
const password = "a long password";

const live = (page: Page) => page.getByText("Live", { exact: true }).waitFor();

/** The browser moves the focus to a field some time after the page shows it. */
const focused = (page: Page, id: string) => page.locator(`#${id}:focus`).waitFor();

const pathOf = (page: Page): string => new URL(page.url()).pathname;

test("a new person with a link chooses a name and a password, and is in the room", async () => {
  const server = await useAccounts();
  const { groupId } = await server.telex.operator.groups.add(operator, { groupType: 1, name: "Teahouse", members: [] });
  const { url } = await server.auth.services.invitations.make(null, { groups: [groupId], nickname: "Carol" });
  const page = await openAt(browser(), server.url, url.slice(server.url.length));
  await page.getByText("Teahouse").waitFor();
  expect(page.url()).not.toContain("#");
  expect(await page.getByLabel("Your name").inputValue()).toBe("Carol");
  await page.getByLabel("Username").fill("carol");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Join" }).click();
  await live(page);
  await page.getByRole("heading", { name: "Teahouse" }).waitFor();
  expect(pathOf(page)).toBe(`/user/rooms/${groupId}`);
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
  expect(kept).not.toMatch(/tlx|password/);
  const [cookie] = await sessionsIn(page.context());
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/" });
  expect((cookie?.value ?? "").length).toBeGreaterThan(40);
});

test("the first admin signs up with the link that the server prints, and has the page for admins", async () => {
  const server = await useAccounts({}, { hasUser: false });
  const link = await server.auth.services.setup.make("one");
  const page = await openAt(browser(), server.url, link?.url.slice(server.url.length) ?? "");
  await page.getByLabel("Username").fill("alice");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Create the account" }).click();
  await live(page);
  await page.getByRole("link", { name: "Admin" }).click();
  await page.getByRole("heading", { name: "Admin" }).waitFor({ state: "attached" });
  await page.reload();
  await live(page);
  expect(pathOf(page)).toBe("/user/admin/");
});

test("a person who is not signed in is redirected to the form, and then back to the page", async () => {
  const server = await useAccounts();
  await server.member("carol");
  const page = await openPage(browser(), server.url, { place: "rooms" });
  await page.getByLabel("Username").fill("carol");
  expect(new URL(page.url()).searchParams.get("to")).toBe("/user/rooms/");
  await page.getByLabel("Password", { exact: true }).fill("wrong password");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("Username or password is wrong.").waitFor();
  expect(await page.getByLabel("Username").inputValue()).toBe("carol");
  expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe("");
  await focused(page, "password");
  await page.keyboard.type("carol's password");
  await page.keyboard.press("Enter");
  await live(page);
  expect(pathOf(page)).toBe("/user/rooms/");
});

test("drafts are restored when a person signs in again after their session has ended", async () => {
  const server = await useAccounts();
  const { page, id } = await server.signedIn(browser(), "carol");
  await useDevice(server, "kitchen", "Kitchen", id);
  await page.goto(`${server.url}/user/teleprinter/device/kitchen`);
  await page.locator(".composer textarea").fill("unfinished");
  await page.locator(".composer textarea").blur();
  await server.auth.services.members.endSessions(id, null);
  await page.getByLabel("Username").fill("carol");
  await page.getByLabel("Password", { exact: true }).fill("carol's password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await live(page);
  expect(pathOf(page)).toBe("/user/teleprinter/device/kitchen");
  await expect.poll(() => page.locator(".composer textarea").inputValue()).toBe("unfinished");
});

test("signing out in one tab ends the session, and redirects every tab to the form", async () => {
  const server = await useAccounts();
  const { page } = await server.signedIn(browser(), "carol");
  const other = await page.context().newPage();
  await other.goto(`${server.url}/user/rooms/`);
  await live(other);
  const cookies = await page.context().cookies();
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Username").waitFor();
  await other.getByLabel("Username").waitFor();
  expect(await sessionsIn(page.context())).toEqual([]);
  await page.context().addCookies(cookies);
  await page.goto(`${server.url}/user/teleprinter/`);
  await page.getByLabel("Username").waitFor();
});

test("if another person signs in in a second tab, the first tab shows that person, too", async () => {
  const server = await useAccounts();
  const { page } = await server.signedIn(browser(), "carol");
  await server.member("bob");
  const other = await page.context().newPage();
  await other.goto(`${server.url}/user/sign-out`);
  await other.getByRole("button", { name: "Sign out" }).click();
  await other.getByLabel("Username").fill("bob");
  await other.getByLabel("Password", { exact: true }).fill("bob's password");
  await other.getByRole("button", { name: "Sign in" }).click();
  await live(other);
  await page.bringToFront();
  await page.reload();
  await live(page);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByText("Signed in as bob").waitFor();
  expect(await page.evaluate(() => localStorage.getItem("telex.session"))).not.toContain("carol");
});

test("a person who has only a token can sign in with it on a server with accounts", async () => {
  const server = await useAccounts();
  const page = await openPage(browser(), server.url);
  await page.getByRole("link", { name: "Use an access token" }).click();
  await page.getByLabel("Access token", { exact: true }).fill(server.token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await live(page);
  expect(pathOf(page)).toBe("/user/teleprinter/");
  await page.reload();
  await live(page);
});

test("without scripts, links are pasted, and the forms work the same", async () => {
  const server = await useAccounts({ registration: "open" });
  const { url } = await server.auth.services.invitations.make(null, { groups: [] });
  const page = await openAt(browser(), server.url, url.slice(server.url.length), { javaScriptEnabled: false });
  await page.getByLabel("Your link").fill(url);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("Username").fill("c");
  await page.getByLabel("Password", { exact: true }).fill("short");
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByText("Must be 2 to 32 letters").waitFor();
  await page.getByLabel("Username").fill("carol");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Join" }).click();
  await page.waitForURL("**/user/");
  expect(await sessionsIn(page.context())).toHaveLength(1);
  await page.goto(`${server.url}/user/sign-out`);
  await page.getByText("You are signed in as carol.").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Username").waitFor();
  expect(await sessionsIn(page.context())).toEqual([]);
  await page.getByRole("link", { name: "中文" }).click();
  await page.getByRole("heading", { name: "登录" }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("zh-CN");
});

test("the fields tell password managers their purpose", async () => {
  const server = await useAccounts({ registration: "open" });
  const { id } = await server.member("carol");
  const recovery = await server.auth.services.recovery.make(null, id);
  const page = await openAt(browser(), server.url, "/user/sign-in");
  const kinds = () =>
    page.locator("input[autocomplete]").evaluateAll((lines) => lines.map((line) => line.getAttribute("autocomplete")));
  expect(await kinds()).toEqual(["username webauthn", "current-password"]);
  await page.goto(`${server.url}/user/register`);
  expect(await kinds()).toEqual(["nickname", "username", "new-password"]);
  await page.goto(recovery.url);
  await page.getByLabel("Password", { exact: true }).waitFor();
  expect(await kinds()).toEqual(["username", "new-password"]);
  expect(await page.getByLabel("Username").inputValue()).toBe("carol");
});

test("a form is filled in with the keyboard alone, and a password can be shown", async () => {
  const server = await useAccounts();
  await server.member("carol");
  const page = await openAt(browser(), server.url, "/user/sign-in");
  await focused(page, "username");
  await page.keyboard.type("carol");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const button = page.getByRole("button", { name: "Show password" });
  expect(await button.getAttribute("aria-pressed")).toBe("true");
  await page.keyboard.press("Tab");
  await page.keyboard.type("carol's password");
  expect(await page.locator("#password").getAttribute("type")).toBe("text");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  expect(await page.getByLabel(/^Stay signed in/).isChecked()).toBe(true);
  await page.keyboard.press("Enter");
  await live(page);
});

test("a page of another site can neither frame nor submit a form", async () => {
  const server = await useAccounts();
  await server.member("mallory");
  const attack = `<!doctype html><iframe src="${server.url}/user/sign-in"></iframe>
    <form method="post" action="${server.url}/user/sign-in"><input name="username" value="mallory">
    <input name="password" value="mallory's password"><button>Win</button></form>`;
  const evil = await serveForeignPage(attack);
  const context = await browser().newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const refused: string[] = [];
  page.on("console", (message) => refused.push(message.text()));
  await page.goto(evil);
  await expect.poll(() => refused.join()).toMatch(/frame-ancestors/);
  await page.getByRole("button", { name: "Win" }).click();
  await page.getByText("The form was not sent from a page of this server.").waitFor();
  expect(await sessionsIn(context)).toEqual([]);
});

test.each([
  "https://elsewhere.example/",
  "//elsewhere.example",
  "/\\elsewhere.example",
  "/user/..//elsewhere.example",
  "javascript:alert(1)",
])("a link with to=%s leads nowhere else", async (to) => {
  const server = await useAccounts();
  await server.member("carol");
  const page = await openAt(browser(), server.url, `/user/sign-in?to=${encodeURIComponent(to)}`);
  await page.getByLabel("Username").fill("carol");
  await page.getByLabel("Password", { exact: true }).fill("carol's password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await live(page);
  expect(pathOf(page)).toBe("/user/teleprinter/");
});

test("the cached pages do not replace the forms", async () => {
  const server = await useAccounts();
  const { page } = await server.signedIn(browser(), "carol", { serviceWorkers: "allow" });
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await live(page);
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await page.goto(`${server.url}/user/sign-out`);
  await page.getByText("You are signed in as carol.").waitFor();
  await page.goto(`${server.url}/user/rooms/`);
  await live(page);
});

test.each(looks)(
  "axe finds nothing in the forms on $on, and nothing is wider than the screen",
  async ({ on, ...look }) => {
    const server = await useAccounts({ registration: "open" });
    const { id } = await server.member("carol");
    const { groupId } = await server.telex.operator.groups.add(operator, {
      groupType: 1,
      name: "w".repeat(60),
      members: [],
    });
    const links = [
      await server.auth.services.recovery.make(null, id),
      await server.auth.services.invitations.make(id, { groups: [groupId] }).catch(() => null),
      await server.auth.services.invitations.make(null, { groups: [groupId] }),
    ].flatMap((link) => (link === null ? [] : [link.url.slice(server.url.length)]));
    const page = await openAt(browser(), server.url, "/user/sign-in", look);
    const check = async (place: string) => expect(await faultsOf(page), `${place} on ${on}`).toEqual(faultless);
    await check("sign-in");
    for (const path of ["/user/register", "/user/join", "/user/sign-out", ...links]) {
      await page.goto(server.url + path);
      await page.locator("h1").waitFor();
      await check(path.split("#")[0] ?? path);
    }
    await page.goto(`${server.url}/user/register`);
    await page.locator("#username").fill("x");
    await page.locator("#password").fill("x");
    await page.locator(".primary").click();
    await page.locator(".error").first().waitFor();
    await check("errors");
  },
);
