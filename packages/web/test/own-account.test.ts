import { operator } from "@telex/core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { sessionsIn, signInByForm, useAccounts } from "./accounts.ts";
import { faultless, faultsOf, looks } from "./axe.ts";
import { openAt, useBrowser } from "./browser.ts";

const browser = useBrowser();

/** A GIF with one pixel. */
const dot = Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64");

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

async function openAccount(options: Parameters<Awaited<ReturnType<typeof useAccounts>>["signedIn"]>[2] = {}) {
  const server = await useAccounts();
  const person = await server.signedIn(browser(), "carol", options);
  await person.page.goto(`${server.url}/user/account/`);
  await region(person.page, "Sessions").getByRole("listitem").first().waitFor();
  return { server, ...person };
}

test("a person changes their name and username, and signs in with the new one", async () => {
  const { server, page } = await openAccount();
  await server.member("bob");
  await region(page, "Profile").getByLabel("Username").fill("bob");
  await region(page, "Profile").getByRole("button", { name: "Save" }).click();
  await page.getByText("This username is taken. Choose another one.").waitFor();
  await region(page, "Profile").getByLabel("Username").fill("caroline");
  await region(page, "Profile").getByLabel("Name", { exact: true }).fill("Carol Baker");
  await region(page, "Profile").getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Carol Baker" }).waitFor();
  const other = await openAt(browser(), server.url, "/user/sign-in");
  await other.getByLabel("Username").fill("Caroline");
  await other.getByLabel("Password", { exact: true }).fill("carol's password");
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.getByText("Live", { exact: true }).waitFor();
  expect((await server.telex.operator.users.list(operator, {})).map(({ nickname }) => nickname)).toContain(
    "Carol Baker",
  );
});

test.each([
  ["a phone", { width: 390, height: 844 }],
  ["a desk", { width: 1280, height: 800 }],
])("a person changes their picture with the keyboard on %s, and sees it immediately", async (_, viewport) => {
  const { page } = await openAccount({ viewport });
  const picture = page.locator("main header img");
  const before = await picture.getAttribute("src");
  const button = region(page, "Profile").getByRole("button", { name: "Change the picture" });
  const choose = async (buffer: Buffer): Promise<void> => {
    const chooser = page.waitForEvent("filechooser");
    await button.press("Enter");
    await (await chooser).setFiles({ name: "a.gif", mimeType: "image/gif", buffer });
  };
  await choose(Buffer.from("no picture"));
  await region(page, "Profile").getByText("The file is not a readable image").waitFor();
  expect(await picture.getAttribute("src")).toBe(before);
  await choose(dot);
  await page.getByText("Saved.").waitFor();
  expect(await picture.getAttribute("src")).toMatch(/&picture=[0-9a-f]{32}&/);
  expect(await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(128);
  expect(await faultsOf(page)).toEqual(faultless);
});

test.each([800, 1600])(
  "the sections of the account are listed with their counts, and lead to their places with the keyboard, in %i pixels",
  async (height) => {
    const { page } = await openAccount({ viewport: { width: 1280, height } });
    const sections = page.getByRole("navigation", { name: "Account" });
    await sections.getByRole("link", { name: "Sessions 1" }).waitFor();
    const last = sections.getByRole("link").last();
    expect(await last.textContent()).toBe("Your data");
    await last.press("Enter");
    await expect.poll(() => last.getAttribute("aria-current")).toBe("true");
    const top = await region(page, "Your data").evaluate((section) => section.getBoundingClientRect().top);
    expect(top).toBeLessThan(200);
    expect(await sections.locator("[aria-current]").count()).toBe(1);
  },
);

test("a weak new password is rejected, and a new password signs other browsers out", async () => {
  const { server, page } = await openAccount();
  const other = await openAt(browser(), server.url, "/user/sign-in");
  await signInByForm(other, "carol");
  const part = region(page, "Signing in");
  await part.getByLabel("New password").fill("password123");
  await part.getByRole("button", { name: "Change the password" }).click();
  await part.getByText(/^Choose another password/).waitFor();
  await part.getByLabel("New password").fill("a much better one");
  await part.getByRole("button", { name: "Change the password" }).click();
  await page.getByText("The password is changed.").waitFor();
  await other.getByLabel("Username").waitFor();
  await page.reload();
  await page.getByText("Live", { exact: true }).waitFor();
  await expect.poll(() => region(page, "Sessions").getByRole("listitem").count()).toBe(1);
});

test("each browser is listed, and signed out from here", async () => {
  const { server, page } = await openAccount();
  const other = await openAt(browser(), server.url, "/user/sign-in");
  await signInByForm(other, "carol");
  await page.reload();
  const rows = region(page, "Sessions").getByRole("listitem");
  await expect.poll(() => rows.count()).toBe(2);
  expect(await rows.filter({ hasText: "this browser" }).getByRole("button").count()).toBe(0);
  await rows.getByRole("button", { name: /^End the session of Chrome on/ }).click();
  await other.getByLabel("Username").waitFor();
  await expect.poll(() => rows.count()).toBe(1);
});

test("an own token is shown once, and has its scope", async () => {
  const { server, page } = await openAccount();
  await page.getByRole("button", { name: "New token" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("backup");
  await dialog.getByLabel("Scope").selectOption("profile");
  await dialog.getByRole("button", { name: "New token" }).click();
  const secret = page.getByRole("dialog", { name: "The new token" }).locator("code");
  await secret.waitFor();
  const token = await secret.textContent();
  expect(await server.telex.authenticate(token)).toMatchObject({ kind: "token", scopes: ["profile"] });
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await region(page, "Access tokens").getByRole("listitem").filter({ hasText: "backup" }).waitFor();
  expect(await page.locator("main").textContent()).not.toContain("tlxp_");
});

test("sensitive actions ask for the password if the person signed in too long ago", async () => {
  const { server, page } = await openAccount();
  server.advance(11 * 60_000);
  const part = region(page, "Signing in");
  await part.getByLabel("New password").fill("a much better one");
  await part.getByRole("button", { name: "Change the password" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await dialog.getByLabel("Password").fill("not the password");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await dialog.getByText("The password is wrong.").waitFor();
  await dialog.getByLabel("Password").fill("carol's password");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await page.getByText("The password is changed.").waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
});

test("a deleted account no longer exists, and its person sees the sign-in form", async () => {
  const { page } = await openAccount();
  await page.getByRole("button", { name: "Delete the account" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete the account" }).click();
  await page.getByLabel("Username").fill("carol");
  await page.getByLabel("Password", { exact: true }).fill("carol's password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Username or password is wrong.").waitFor();
  expect(await sessionsIn(page.context())).toEqual([]);
});

test("an admin invites a person into a room with the first button of the users, and revokes the next invitation", async () => {
  const server = await useAccounts();
  const { page } = await server.signedIn(browser(), "boss", { role: "admin" });
  await server.telex.operator.groups.add(operator, { groupType: 1, name: "Teahouse", members: [] });
  await page.goto(`${server.url}/user/admin/users/`);
  await page.getByRole("button", { name: "Invite" }).waitFor();
  expect(await page.locator(".list-head button").first().textContent()).toBe("Invite");
  const invite = async (): Promise<string> => {
    await page.getByRole("button", { name: "Invite" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Carol");
    await dialog.getByLabel("Room").selectOption("Teahouse");
    await dialog.getByRole("button", { name: "Invite" }).click();
    const link = await page.getByRole("dialog", { name: "The invitation" }).locator("code").textContent();
    await page.keyboard.press("Escape");
    return link ?? "";
  };
  const [used, revoked] = [await invite(), await invite()];
  const stranger = await openAt(browser(), server.url, used.slice(server.url.length));
  await stranger.getByText("boss invites you").waitFor();
  await stranger.getByText("Teahouse").waitFor();
  await stranger.getByLabel("Username").fill("carol");
  await stranger.getByLabel("Password", { exact: true }).fill("carol's password");
  await stranger.getByRole("button", { name: "Join" }).click();
  await stranger.getByText("Live", { exact: true }).waitFor();
  await page.reload();
  const rows = region(page, "Open invitations").getByRole("listitem");
  await expect.poll(() => rows.count()).toBe(1);
  await rows.getByRole("button", { name: /^Revoke/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect.poll(() => rows.count()).toBe(0);
  await stranger.goto(revoked);
  await stranger.getByText("This link does not work any more.").waitFor();
});

test("an admin creates a recovery link, with which a person who lost the password signs in again", async () => {
  const server = await useAccounts();
  const { page } = await server.signedIn(browser(), "boss", { role: "admin" });
  const { id } = await server.member("carol");
  await page.goto(`${server.url}/user/admin/users/${id}`);
  await page.getByRole("button", { name: "Recovery link" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Recovery link" }).click();
  const link = await page.getByRole("dialog", { name: "The recovery link" }).locator("code").textContent();
  const other = await openAt(browser(), server.url, (link ?? "").slice(server.url.length));
  await other.getByLabel("Password", { exact: true }).fill("another password");
  await other.getByRole("button", { name: "Set the password" }).click();
  await other.getByText("Live", { exact: true }).waitFor();
  await other.goto(`${server.url}/user/account/`);
  await other.getByText(/^A recovery link from an admin was used/).waitFor();
  expect(await other.getByRole("heading", { name: "carol" }).count()).toBe(1);
});

test("an admin finds a person by username, makes them an admin, and removes them as admin", async () => {
  const server = await useAccounts();
  const { page } = await server.signedIn(browser(), "boss", { role: "admin" });
  const { id } = await server.member("carol");
  await server.telex.operator.users.amend(operator, { id, nickname: "Somebody" });
  const roleOf = async () => (await server.auth.services.members.find(id)).role;
  await page.goto(`${server.url}/user/admin/users/`);
  await page.getByRole("link", { name: /boss · admin/ }).waitFor();
  await page.getByRole("searchbox").fill("carol");
  await page.getByRole("link", { name: /^Somebody.*carol/ }).click();
  const account = region(page, "Account");
  const confirm = async (name: string): Promise<void> => {
    await account.getByRole("button", { name }).click();
    await page.getByRole("dialog").getByRole("button", { name }).click();
  };
  await confirm("Make an admin");
  await account.getByText("carol · admin").waitFor();
  expect(await roleOf()).toBe("admin");
  await confirm("Remove as admin");
  await account.getByText("Username: carol", { exact: true }).waitFor();
  expect(await roleOf()).toBe(null);
});

test("the last admin keeps the role, and the page says why", async () => {
  const server = await useAccounts();
  const { page, id } = await server.signedIn(browser(), "boss", { role: "admin" });
  await page.goto(`${server.url}/user/admin/users/${id}`);
  await page.getByRole("button", { name: "Remove as admin" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Remove as admin" }).click();
  await dialog.getByRole("alert").getByText(/admin/).waitFor();
  expect((await server.auth.services.members.find(id)).role).toBe("admin");
});

test("an admin suspends a person, whose page ends, and resumes them", async () => {
  const server = await useAccounts();
  const { page } = await server.signedIn(browser(), "boss", { role: "admin" });
  const carol = await server.signedIn(browser(), "carol");
  await page.goto(`${server.url}/user/admin/users/${carol.id}`);
  await region(page, "Account").getByText("Signed in in one browser").waitFor();
  await page.getByRole("button", { name: "Suspend" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Suspend" }).click();
  await region(page, "Account").getByText("Signed in in no browser").waitFor();
  await carol.page.getByLabel("Username").waitFor();
  expect((await server.telex.operator.users.show(operator, { id: carol.id })).state).toBe("suspended");
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("button", { name: "Suspend" }).waitFor();
  await signInByForm(carol.page, "carol");
  await carol.page.getByText("Live", { exact: true }).waitFor();
});

test("an admin who signed in long ago confirms before changing something", async () => {
  const server = await useAccounts();
  const { page } = await server.signedIn(browser(), "boss", { role: "admin" });
  await page.goto(`${server.url}/user/admin/users/`);
  await page.getByRole("button", { name: "Invite" }).waitFor();
  server.advance(61 * 60_000);
  await page.getByRole("button", { name: "Invite" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await dialog.getByLabel("Password").fill("boss's password");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  const link = page.getByRole("dialog", { name: "The invitation" }).locator("code");
  expect(await link.textContent()).toContain("/user/join#");
});

test("an admin invites a named person into a chat room of the operator, and sees the name in the list", async () => {
  const server = await useAccounts();
  const { page, id } = await server.signedIn(browser(), "boss", { role: "admin" });
  const { groups } = server.telex.operator;
  await groups.add(operator, { groupType: 1, name: "Teahouse", ext: "teahouse", members: [id] });
  await groups.add(operator, { groupType: 2, name: "A private chat", members: [id] });
  await page.goto(`${server.url}/user/admin/users/`);
  await page.getByRole("button", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog");
  const rooms = dialog.getByLabel("Room").locator("option");
  await expect.poll(() => rooms.allTextContents()).toEqual(["No room", "Teahouse"]);
  await dialog.getByLabel("Name (optional)").fill("Carol");
  await dialog.getByRole("button", { name: "Invite" }).click();
  await page.getByRole("dialog", { name: "The invitation" }).locator("code").waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("Invitation for Carol").waitFor();
});

test.each(looks)("axe finds nothing in the account and the invitations on $on", async ({ on, ...look }) => {
  const server = await useAccounts();
  const { page } = await server.signedIn(browser(), "boss", { role: "admin", ...look, locale: "en-GB" });
  await page.goto(`${server.url}/user/account/`);
  await page.locator(".tokens li").first().waitFor();
  await page.locator("input[name=username]").fill("x");
  await page.locator("main form button").first().click();
  await page.locator("main .error").first().waitFor();
  expect(await faultsOf(page), `account on ${on}`).toEqual(faultless);
  await server.auth.services.invitations.make(null, { groups: [] });
  await page.goto(`${server.url}/user/admin/users/`);
  await page.locator(".invitations li").waitFor();
  expect(await faultsOf(page), `invitations on ${on}`).toEqual(faultless);
});

test.each([
  ["a phone", { width: 390, height: 844 }],
  ["a desk", { width: 1280, height: 800 }],
])("a person sees whom they have blocked, and ends a block with the keyboard, on %s", async (_, viewport) => {
  const { server, page, id } = await openAccount({ viewport });
  await region(page, "Blocked people").getByText("You have not blocked anyone.").waitFor();
  const dave = await server.member("dave");
  await page.evaluate(async (userId) => {
    const headers = { "content-type": "application/json" };
    await fetch("/external/api/v1/im/blocks", { method: "POST", headers, body: JSON.stringify({ userId }) });
  }, dave.id);
  await page.reload();
  expect(id).not.toBe(dave.id);
  await region(page, "Blocked people").getByRole("button", { name: "Unblock dave" }).press("Enter");
  await page.getByText("dave is no longer blocked.").waitFor();
  await region(page, "Blocked people").getByText("You have not blocked anyone.").waitFor();
  await page.reload();
  await region(page, "Blocked people").getByText("You have not blocked anyone.").waitFor();
  expect(await faultsOf(page)).toEqual(faultless);
});

/** A browser with a push service, which creates one subscription. */
const withPush = `
  const keys = { p256dh: "B".repeat(86) + "A", auth: "A".repeat(22) };
  const toJSON = () => ({ endpoint: "https://push.example/one", keys });
  PushManager.prototype.subscribe = async () => ({ toJSON });
  globalThis.Notification = class extends EventTarget {
    static permission = "granted";
    static requestPermission = async () => "granted";
  };
  globalThis.asked = [];
  const send = fetch;
  globalThis.fetch = async (request, ...rest) => {
    if (request.method === "POST" && request.url.endsWith("/push/subscriptions")) asked.push(await request.clone().json());
    return send(request, ...rest);
  };
`;

test("a person chooses the content of notifications, and which events of devices cause them", async () => {
  const server = await useAccounts();
  const { page } = await server.signedIn(browser(), "carol", {
    serviceWorkers: "allow",
    permissions: ["notifications"],
  });
  await page.context().addInitScript(withPush);
  await page.goto(`${server.url}/user/account/`);
  await page.evaluate(() => navigator.serviceWorker.ready);
  const part = region(page, "Notifications");
  await part.getByText("They are off. Turn them on with the bell in the bar.").waitFor();
  const asked = (): Promise<unknown> => page.evaluate("asked");
  const none = { text: false, devices: { texts: false, offline: null } };
  await page.getByRole("button", { name: "Notifications are off" }).click();
  await expect.poll(asked).toMatchObject([none]);
  await part.getByLabel(/beginning of the text/).press(" ");
  await expect.poll(asked).toMatchObject([none, { ...none, text: true }]);
  await part.getByLabel(/sends a text/).press(" ");
  await expect.poll(asked).toHaveLength(3);
  const offline = part.getByLabel(/offline/);
  await offline.press(" ");
  const chosen = { text: true, devices: { texts: true, offline: 5 } };
  await expect.poll(asked).toMatchObject([none, {}, {}, chosen]);
  await page.reload();
  await expect.poll(asked).toMatchObject([chosen]);
  expect(await offline.isChecked()).toBe(true);
  expect(await part.getByRole("alert").count()).toBe(0);
});
