import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage, signIn, useBrowser, useServer } from "./browser.ts";
import { useRoom } from "./rooms.ts";
import { useAccounts } from "./accounts.ts";
import { beginRooms, screens } from "./scene.ts";

const browser = useBrowser();

/** Holds the responses below a URL until they are released. */
async function hold(page: Page, address: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

const codeOfRoom = "**/assets/room-page-*.js";

const placesOf = (page: Page, selector: string): Promise<unknown> =>
  page
    .locator(selector)
    .evaluateAll((elements) => elements.map((element) => JSON.stringify(element.getBoundingClientRect())));

test.each(screens)(
  "on $on, the list of rooms appears before the code of a room is loaded, and does not move",
  async ({ screen }) => {
    const server = await useServer();
    await useRoom(server);
    await useRoom(server, "Attic");
    const page = await openPage(browser(), server.url, { place: "rooms", ...screen });
    const letGo = await hold(page, codeOfRoom);
    await signIn(page, server.token);
    await page.locator(".talks a").nth(1).waitFor();
    const before = await placesOf(page, ".bar, .room-list, .talks a");
    await page.locator(".talks a", { hasText: "Kitchen" }).click();
    await page.locator("section.blank").waitFor({ state: "attached" });
    letGo();
    await page.locator(".message-box textarea").waitFor();
    if (await page.locator(".talks").isVisible()) {
      expect(await placesOf(page, ".bar, .room-list, .talks a")).toEqual(before);
    }
  },
);

test("if the code of a room cannot be loaded, the page says so and can load it again", async () => {
  const server = await useServer();
  const { groupId } = await useRoom(server);
  const page = await openPage(browser(), server.url, { place: "rooms", path: String(groupId) });
  await page.route(codeOfRoom, (route) => route.abort());
  await signIn(page, server.token);
  await page.locator("section.blank").getByText("The server cannot be reached.").waitFor();
  await page.unroute(codeOfRoom);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator(".message-box textarea").waitFor();
  expect(await page.locator("section.blank").count()).toBe(0);
});

test("if the texts cannot be loaded, the page says so in both languages and can be reloaded", async () => {
  const server = await useServer();
  const page = await openPage(browser(), server.url, { place: "rooms" });
  await page.route("**/assets/en-*.js", (route) => route.abort());
  await page.reload();
  await page.getByText("The server cannot be reached. 无法连接服务器。").waitFor();
  await page.unroute("**/assets/en-*.js");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("button", { name: "Sign in" }).first().waitFor();
  expect(await page.getByText("无法连接服务器。").count()).toBe(0);
});

/** Counts the calls of a URL, and holds their responses until they are released. */
async function holdCalls(page: Page, method: string, address: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let calls = 0;
  await page.route(address, async (route) => {
    if (route.request().method() !== method) return await route.continue();
    calls += 1;
    await promise;
    return await route.continue();
  });
  return { letGo: resolve, calls: () => calls };
}

test.each(screens)(
  "on $on, pressing twice creates one room, and its form waits for the response",
  async ({ screen }) => {
    const { page, alice } = await beginRooms(browser(), screen);
    const { letGo, calls } = await holdCalls(page, "POST", "**/im/groups");
    await page.getByRole("link", { name: "New", exact: true }).click();
    await page.getByLabel("Name", { exact: true }).fill("Walks");
    const make = page.getByRole("button", { name: "Create room" });
    await page.locator("dialog input[type=checkbox]").nth(1).waitFor();
    const before = await placesOf(page, "dialog, dialog input, dialog button");
    await make.dblclick();
    await expect.poll(() => make.isDisabled()).toBe(true);
    expect(await placesOf(page, "dialog, dialog input, dialog button")).toEqual(before);
    letGo();
    await page.locator(".room").getByRole("heading", { name: "Walks" }).waitFor();
    expect(calls()).toBe(1);
    expect((await alice.rooms.list({})).list.filter(({ groupName }) => groupName === "Walks")).toHaveLength(1);
  },
);

test("if creating a room fails, the form stays with the error, and the next press creates it", async () => {
  const { page } = await beginRooms(browser());
  await page.route("**/im/groups", (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 500, body: "broken" }) : route.continue(),
  );
  await page.getByRole("link", { name: "New", exact: true }).click();
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Walks");
  await page.getByRole("button", { name: "Create room" }).click();
  await page.locator("dialog").getByText("The server cannot do this right now. Try again in a moment.").waitFor();
  expect(await name.inputValue()).toBe("Walks");
  await page.unroute("**/im/groups");
  await page.getByRole("button", { name: "Create room" }).click();
  await page.locator(".room").getByRole("heading", { name: "Walks" }).waitFor();
});

test("a session is ended by one call, however often its button is pressed", async () => {
  const server = await useAccounts();
  const { page } = await server.signedIn(browser(), "carol");
  const other = await browser().newContext();
  const elsewhere = await other.newPage();
  await elsewhere.goto(`${server.url}/user/sign-in`);
  await elsewhere.locator("input[name=username]").fill("carol");
  await elsewhere.locator("input[name=password]").fill("carol's password");
  await elsewhere.keyboard.press("Enter");
  await elsewhere.getByText("Live", { exact: true }).waitFor();
  await page.goto(`${server.url}/user/account/`);
  const { letGo, calls } = await holdCalls(page, "DELETE", "**/account/sessions/*");
  const end = page.getByRole("button", { name: /^End the session/ });
  await end.dblclick();
  await expect.poll(() => end.isDisabled()).toBe(true);
  letGo();
  await expect.poll(() => end.count()).toBe(0);
  expect(calls()).toBe(1);
  await other.close();
});
