import { operator } from "@telex/core";
import type { Browser, Page } from "playwright-core";
import { expect, test } from "vitest";
import { faultless, faultsOf, looks, phone } from "./axe.ts";
import { openPage, type PageOptions, signIn, useBrowser, useServer } from "./browser.ts";
import { useDevice } from "./device.ts";
import { useRoom } from "./rooms.ts";
import type { TestServer } from "./server.ts";

const browser = useBrowser();

/** Opens the page for admins. The user is signed in with a token that has these scopes. */
async function openAdmin(
  opened: Browser,
  server: TestServer,
  { scopes = ["chat", "admin"], ...options }: PageOptions & { readonly scopes?: readonly string[] } = {},
): Promise<Page> {
  const { token } = await server.issueToken(scopes);
  const page = await openPage(opened, server.url, { place: "admin", ...options });
  await page.locator("input[name=token]").fill(token);
  await page.locator("button[type=submit]").click();
  await page.locator(".sections").waitFor();
  return page;
}

const dialog = (page: Page) => page.getByRole("dialog");

/** Waits until the dialog is removed. While it is closing, Back does not leave a token. */
const dialogIsGone = (page: Page) => page.locator("dialog").waitFor({ state: "detached" });
const notice = (page: Page) => page.locator(".notices p");

test("only admins have the page in the navigation, and others see which scope they lack", async () => {
  const server = await useServer();
  const page = await openPage(browser(), server.url, { place: "files" });
  await signIn(page, server.token);
  expect(await page.getByRole("link", { name: "Admin" }).count()).toBe(0);
  await page.goto(`${server.url}/user/admin/users/`);
  await page.locator(".trouble [role=alert]", { hasText: "admin" }).waitFor();
  const { token } = await server.issueToken(["chat", "admin"]);
  const admin = await openPage(browser(), server.url, { place: "files" });
  await signIn(admin, token);
  await admin.getByRole("link", { name: "Admin" }).click();
  await admin.getByRole("heading", { name: "The server" }).waitFor();
});

test("a token with only the scope admin opens only this page", async () => {
  const server = await useServer();
  const page = await openAdmin(browser(), server, { scopes: ["admin"], place: "rooms" });
  expect(new URL(page.url()).pathname).toBe("/user/admin/");
  await page.locator(".figures").first().waitFor();
  await page.getByRole("button", { name: "Settings" }).click();
  expect(await page.getByRole("link", { name: "Account" }).count()).toBe(0);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Access token", { exact: true }).waitFor();
});

test("a user is added, changed with errors at their fields, and removed after a question", async () => {
  const server = await useServer();
  await server.telex.operator.users.add(operator, { nickname: "Taken", ext: "10001" });
  const page = await openAdmin(browser(), server, { path: "users/" });
  await expect.poll(() => page.title()).toBe("Users · Admin · Telex");
  await page.getByRole("button", { name: "Add a user" }).click();
  await dialog(page).getByLabel("Nickname").fill("Dora");
  await dialog(page)
    .getByLabel(/^ID in the external network/)
    .fill("10001");
  await dialog(page).getByRole("button", { name: "Add a user" }).click();
  const ext = dialog(page).getByLabel(/^ID in the external network/);
  await expect.poll(() => ext.getAttribute("aria-invalid")).toBe("true");
  const described = (await ext.getAttribute("aria-describedby")) ?? "";
  expect(await page.locator(`[id="${described.split(" ").at(-1)}"]`).textContent()).toMatch(/another user/i);
  await ext.fill("10002");
  await dialog(page).getByRole("button", { name: "Add a user" }).click();
  await page.getByRole("heading", { name: "Dora" }).waitFor();
  await expect.poll(() => page.title()).toBe("Dora · Admin · Telex");
  await page.getByLabel(/^Phone/).fill("5550100");
  await page.getByRole("button", { name: "Save" }).click();
  await notice(page).getByText("Saved.").waitFor();
  const found = (await server.telex.operator.users.list(operator, {})).find(({ nickname }) => nickname === "Dora");
  expect(found).toMatchObject({ ext: "10002", phone: "5550100" });
  await page.getByRole("button", { name: "Remove user" }).click();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Cancel");
  await dialog(page).getByRole("button", { name: "Remove user" }).click();
  await notice(page).getByText('"Dora" is removed.').waitFor();
  await expect.poll(() => page.locator(".row .name").allTextContents()).toEqual(["Ada", "Taken"]);
  await expect.poll(() => page.title()).toBe("Users · Admin · Telex");
  await page.getByRole("link", { name: "Overview" }).click();
  await expect.poll(() => page.title()).toBe("Admin · Telex");
});

test("devices, tokens, quota and OneBot of a user are managed on the page of the user", async () => {
  const server = await useServer();
  const device = await useDevice(server, "kitchen", "Kitchen");
  await device.print("READY.");
  const page = await openAdmin(browser(), server, { path: `users/${server.userId}` });
  await page.getByRole("button", { name: "Set quota" }).click();
  await dialog(page).getByLabel("Limit").fill("5000");
  await dialog(page).getByLabel("Counted in").selectOption("token");
  await dialog(page).getByRole("button", { name: "Set quota" }).click();
  await page.getByText("0 of 5,000 tokens used in this period").waitFor();
  await page.getByRole("button", { name: "Texts: Kitchen" }).click();
  await dialog(page).getByText("READY.").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Rename: Kitchen" }).click();
  await dialog(page).getByLabel("Name").fill("Attic");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await page.locator(".items .name", { hasText: "Attic" }).waitFor();
  await page.getByRole("button", { name: "Unregister: Attic" }).click();
  await dialog(page).getByRole("button", { name: "Unregister" }).click();
  await page.getByText("This user has no devices.").waitFor();
  await page.getByRole("button", { name: "Let frameworks connect" }).click();
  await dialog(page).getByLabel("Protocol").selectOption("12");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await page.getByText(/OneBot 12 frameworks can connect/).waitFor();
  const found = await server.telex.operator.users.show(operator, { id: server.userId });
  expect(found.oneBot).toMatchObject({ protocol: 12 });
});

test("the account of a bot is added with a name, which is changed and removed", async () => {
  const server = await useServer();
  const page = await openAdmin(browser(), server, { path: "bots/" });
  await page.getByRole("button", { name: "Add an account" }).first().click();
  await dialog(page)
    .getByLabel(/^Account/)
    .fill("10001");
  await dialog(page).getByLabel(/^Name/).fill("Tea room");
  await dialog(page).getByRole("button", { name: "Add an account" }).click();
  await dialog(page).locator("code").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".items .name", { hasText: "Tea room" }).waitFor();
  const rename = async (name: string): Promise<void> => {
    await page.getByRole("button", { name: "Change: 10001" }).click();
    await dialog(page).getByLabel(/^Name/).fill(name);
    await dialog(page).getByRole("button", { name: "Save" }).click();
  };
  await rename("茶馆");
  await page.locator(".items .name", { hasText: "茶馆" }).waitFor();
  expect(await server.telex.operator.bots.list(operator, {})).toMatchObject([{ name: "茶馆", official: false }]);
  await rename("");
  await page.locator(".items .name", { hasText: "10001" }).waitFor();
  expect(await server.telex.operator.bots.list(operator, {})).toMatchObject([{ name: null }]);
});

test("a token is issued and shown once, works, and is revoked after a question", async () => {
  const server = await useServer();
  const page = await openAdmin(browser(), server, { path: `users/${server.userId}` });
  await page.getByRole("button", { name: "Issue a token" }).click();
  await dialog(page).getByLabel(/^Name/).fill("printer");
  await dialog(page).getByLabel("Allows").selectOption("device");
  await dialog(page)
    .getByLabel(/^Device ID/)
    .fill("no id");
  await dialog(page).getByRole("button", { name: "Issue a token" }).click();
  await dialog(page).getByRole("alert").first().waitFor();
  await dialog(page)
    .getByLabel(/^Device ID/)
    .fill("kitchen");
  await dialog(page).getByRole("button", { name: "Issue a token" }).click();
  const token = await dialog(page).locator("code").textContent();
  expect((await server.telex.authenticate(token ?? "")).kind).toBe("token");
  await page.mouse.click(5, 5);
  expect(await dialog(page).locator("code").textContent()).toBe(token);
  await page.keyboard.press("Escape");
  await dialogIsGone(page);
  expect(await page.locator("main").textContent()).not.toContain(token);
  await page.getByRole("button", { name: "Revoke: printer" }).click();
  await dialog(page).getByRole("button", { name: "Revoke" }).click();
  await notice(page).getByText("The token is revoked.").waitFor();
  expect((await server.telex.authenticate(token ?? "")).kind).toBe("anonymous");
  await page.goto(`${server.url}/user/admin/tokens/`);
  await page.getByLabel("Show").selectOption("ended");
  await page.getByText(/revoked$/).waitFor();
});

test("a valid token is found behind more invalid ones than fit on a page", async () => {
  const server = await useServer();
  const { tokens } = server.telex.operator;
  const issue = { userId: server.userId, scopes: ["profile"] };
  const ended = await Promise.all(Array.from({ length: 1000 }, () => tokens.issue(operator, issue)));
  await Promise.all(ended.map(({ id }) => tokens.revoke(operator, { token: String(id) })));
  await tokens.issue(operator, { ...issue, name: "behind them" });
  const page = await openAdmin(browser(), server, { path: `users/${server.userId}` });
  await page.getByText("behind them").waitFor();
  await page.goto(`${server.url}/user/admin/tokens/`);
  await page.getByText("behind them").waitFor();
  expect(await page.getByText("behind them").count()).toBe(1);
});

test("the dialog of a token stays open until the token is issued", async () => {
  const server = await useServer();
  const page = await openAdmin(browser(), server, { path: `users/${server.userId}` });
  const arrived = Promise.withResolvers<undefined>();
  const asked = Promise.withResolvers<undefined>();
  await page.route("**/admin/tokens", async (route) => {
    asked.resolve(undefined);
    await arrived.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: "Issue a token" }).click();
  await dialog(page).getByRole("button", { name: "Issue a token" }).click();
  await asked.promise;
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  expect(await dialog(page).getByRole("button", { name: "Close" }).isDisabled()).toBe(true);
  expect(await dialog(page).getByRole("button", { name: "Cancel" }).isDisabled()).toBe(true);
  arrived.resolve(undefined);
  expect(await dialog(page).locator("code").textContent()).toMatch(/^tlxp_/);
  await dialog(page).getByRole("button", { name: "Close" }).click();
  await dialogIsGone(page);
});

/** Goes back, and waits until the page has handled it. */
const goBack = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        window.addEventListener("popstate", () => resolve(), { once: true });
        history.back();
      }),
  );

test("Back does not lose a token that is being issued or shown, and the browser asks before it closes the page", async () => {
  const server = await useServer();
  const page = await openAdmin(browser(), server, { path: "users/" });
  await page.locator(`main a[href$="/users/${server.userId}"]`).first().click();
  const arrived = Promise.withResolvers<undefined>();
  const asked = page.waitForRequest("**/admin/tokens");
  await page.route("**/admin/tokens", async (route) => {
    await arrived.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: "Issue a token" }).click();
  await dialog(page).getByRole("button", { name: "Issue a token" }).click();
  await asked;
  await goBack(page);
  arrived.resolve(undefined);
  const token = await dialog(page).locator("code").textContent();
  await goBack(page);
  const question = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  expect((await question).type()).toBe("beforeunload");
  await (await question).dismiss();
  expect(new URL(page.url()).pathname).toBe(`/user/admin/users/${server.userId}`);
  expect(await dialog(page).locator("code").textContent()).toBe(token);
  await dialog(page).getByRole("button", { name: "Close" }).click();
  await dialogIsGone(page);
  await goBack(page);
  await page.getByRole("button", { name: "Add a user" }).waitFor();
});

test("the focus moves to the next row when a row is removed, and to the heading after the last row", async () => {
  const server = await useServer();
  for (const name of ["Attic", "Kitchen"]) await useDevice(server, name.toLowerCase(), name);
  const page = await openAdmin(browser(), server, { path: `users/${server.userId}` });
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent);
  for (const [name, next] of [
    ["Attic", "Unregister: Kitchen"],
    ["Kitchen", "Devices"],
  ] as const) {
    await page.getByRole("button", { name: `Unregister: ${name}` }).focus();
    await page.keyboard.press("Enter");
    await dialog(page).getByRole("button", { name: "Unregister" }).press("Enter");
    await notice(page).getByText(new RegExp(name)).waitFor();
    await expect.poll(focused).toBe(next);
  }
});

test("a page is fetched again after a failure, and once for simultaneous requests", async () => {
  const server = await useServer();
  const device = await useDevice(server, "kitchen", "Kitchen");
  for (let number = 1; number <= 25; number += 1) await device.print(`text ${number}`);
  const page = await openPage(browser(), server.url, { place: "files" });
  let isDown = true;
  await page.route("**/quotas/*/history*", (route) => (isDown ? route.abort() : route.continue()));
  await signIn(page, (await server.issueToken(["chat", "admin"])).token);
  await page.goto(`${server.url}/user/admin/users/${server.userId}`);
  const quota = page.getByRole("region", { name: "AI quota" });
  await quota.getByRole("alert").waitFor();
  isDown = false;
  await quota.getByRole("button", { name: "Try again" }).click();
  await quota.getByText("No use in the last 30 days.").waitFor();
  await expect.poll(() => quota.getByRole("alert").count()).toBe(0);
  await page.getByRole("button", { name: "Texts: Kitchen" }).click();
  await dialog(page)
    .getByRole("button", { name: "Show more" })
    .evaluate((more: HTMLElement) => {
      more.click();
      more.click();
    });
  await expect.poll(() => dialog(page).getByRole("button", { name: "Show more" }).count()).toBe(0);
  const numbers = Array.from({ length: 25 }, (_, index) => `text ${25 - index}`);
  expect(await dialog(page).locator(".print").allTextContents()).toEqual(numbers);
});

test("members, a card and a picture are added to a room and removed", async () => {
  const server = await useServer();
  const { groupId } = await useRoom(server);
  await server.addUser("Cleo");
  const page = await openAdmin(browser(), server, { path: "rooms/" });
  await page.getByRole("link", { name: /Kitchen/ }).click();
  await page.getByRole("heading", { name: "Members: 2" }).waitFor();
  await page.getByRole("button", { name: "Add members" }).click();
  await dialog(page).getByLabel("Filter").fill("cle");
  await dialog(page).getByLabel(/Cleo/).check();
  await dialog(page).getByRole("button", { name: "Add 1 member" }).click();
  await page.getByRole("heading", { name: "Members: 3" }).waitFor();
  await page.getByRole("button", { name: "Card: Cleo" }).click();
  await dialog(page).getByLabel(/^Card/).fill("Cook");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await page.locator(".items .name", { hasText: "Cook" }).waitFor();
  await page.locator("input[type=file]").setInputFiles({
    name: "a.gif",
    mimeType: "image/gif",
    buffer: Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64"),
  });
  await page.getByRole("button", { name: "Remove picture" }).waitFor();
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "a.gif", mimeType: "image/gif", buffer: Buffer.from("x") });
  await page.locator(".subject").getByRole("alert").waitFor();
  await page.getByRole("button", { name: "Remove: Cook" }).click();
  await dialog(page).getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByRole("heading", { name: "Members: 2" }).waitFor();
  expect((await server.telex.operator.groups.members(operator, { groupId })).length).toBe(2);
  await page.getByRole("button", { name: "Remove room" }).click();
  await dialog(page).getByRole("button", { name: "Remove room" }).click();
  await notice(page).getByText('"Kitchen" is removed.').waitFor();
});

test("a filter finds users beyond the first page", async () => {
  const server = await useServer();
  for (let number = 0; number < 250; number += 1) {
    await server.telex.operator.users.add(operator, { nickname: `User ${number}` });
  }
  const page = await openAdmin(browser(), server, { path: "users/" });
  await page.locator(".row").nth(199).waitFor();
  expect(await page.locator(".row").count()).toBe(200);
  await page.getByLabel("Filter").fill("user 249");
  await expect.poll(() => page.locator(".row .name").allTextContents()).toEqual(["User 249"]);
  await page.getByLabel("Filter").fill("nobody");
  await page.getByText('Nothing matches "nobody".').waitFor();
});

test("files are listed and quarantined", async () => {
  const server = await useServer();
  const caller = await server.telex.authenticate(server.token);
  const stored = await server.telex.bucket.upload(caller, {
    file: {
      name: "notes.txt",
      mime: "text/plain",
      bytes: (async function* () {
        yield Buffer.from("notes");
      })(),
    },
  });
  const page = await openAdmin(browser(), server, { path: "files/" });
  await page.getByText(stored.file_id).waitFor();
  await page.getByRole("button", { name: `Quarantine: ${stored.file_id}` }).click();
  await dialog(page).getByRole("button", { name: "Quarantine" }).click();
  await page.getByText("Nothing here yet.").waitFor();
  await page.getByRole("button", { name: "Clean up" }).click();
  await dialog(page).getByRole("button", { name: "Clean up" }).click();
  await notice(page)
    .getByText(/deleted/)
    .waitFor();
  expect(await server.telex.operator.files.list(operator, {})).toEqual([]);
});

/** Opens each dialog of the page. */
async function* openDialogs(page: Page): AsyncGenerator<string> {
  // A closed dialog remains in the document for a moment.
  const shown = ":is(.list-head button, .card .actions:not(.links) button, .end button):not(dialog *)";
  const buttons = page.locator(shown);
  for (let index = 0; index < (await buttons.count()); index += 1) {
    const button = buttons.nth(index);
    if ((await button.getAttribute("type")) === "submit") continue;
    await button.click();
    await page.locator("dialog[open]").waitFor();
    yield (await button.textContent()) ?? "";
    await page.keyboard.press("Escape");
    await page.locator("dialog[open]").waitFor({ state: "detached" });
  }
}

/** Visits all parts of the page. */
async function* tour(page: Page, server: TestServer, groupId: number): AsyncGenerator<string> {
  await page.locator(".figures").first().waitFor();
  yield "overview";
  for (const [path, seen] of [
    ["users/", ".row"],
    [`users/${server.userId}`, ".days, .card progress"],
    ["rooms/", ".row"],
    [`rooms/${groupId}`, ".items li"],
    ["tokens/", ".items li"],
    ["bots/", ".admin .none"],
    ["files/", ".plain-rows .quiet"],
  ] as const) {
    await page.goto(`${server.url}/user/admin/${path}`);
    await page.locator(seen).first().waitFor();
    yield path;
  }
}

async function furnish(server: TestServer): Promise<number> {
  const { groupId } = await useRoom(server, "K".repeat(64));
  await useDevice(server, `device-${"0".repeat(57)}`, "阁楼的打印机");
  return groupId;
}

test.each(looks)(
  "axe finds nothing on $on, and nothing is wider than the screen",
  async ({ on, ...look }) => {
    const server = await useServer();
    const groupId = await furnish(server);
    const page = await openAdmin(browser(), server, look);
    for await (const place of tour(page, server, groupId)) {
      expect(await faultsOf(page), `${place} on ${on}`).toEqual(faultless);
    }
  },
  120_000,
);

test.each(["users/", "users/1", "rooms/", "rooms/1", "bots/", "files/"])(
  "axe finds nothing in the dialogs of %s on a phone, and nothing is wider than the screen",
  async (path) => {
    const server = await useServer();
    await furnish(server);
    const page = await openAdmin(browser(), server, phone);
    await page.goto(`${server.url}/user/admin/${path}`);
    await page.locator("main :is(.row, .subject, .none, .plain-rows .quiet)").first().waitFor();
    // Lists that load later have more buttons.
    await expect.poll(() => page.getByText("Loading...", { exact: true }).count()).toBe(0);
    for await (const opened of openDialogs(page)) expect(await faultsOf(page), `${path} ${opened}`).toEqual(faultless);
  },
  120_000,
);
