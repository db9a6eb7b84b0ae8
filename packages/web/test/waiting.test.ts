import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage, signIn, useBrowser, useServer } from "./browser.ts";
import { useRoom } from "./rooms.ts";
import { screens } from "./scene.ts";

const browser = useBrowser();

/** Holds what a page asks for below an address until it is let go. */
async function hold(page: Page, address: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

const codeOfRoom = "**/assets/room-place-*.js";

const placesOf = (page: Page, selector: string): Promise<unknown> =>
  page
    .locator(selector)
    .evaluateAll((elements) => elements.map((element) => JSON.stringify(element.getBoundingClientRect())));

test.each(screens)(
  "on $on, the list of rooms is there before the code of a room, and stays in its place",
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
    await page.locator(".say textarea").waitFor();
    if (await page.locator(".talks").isVisible()) {
      expect(await placesOf(page, ".bar, .room-list, .talks a")).toEqual(before);
    }
  },
);

test("a room whose code does not arrive says so, and is loaded again", async () => {
  const server = await useServer();
  const { groupId } = await useRoom(server);
  const page = await openPage(browser(), server.url, { place: "rooms", path: String(groupId) });
  await page.route(codeOfRoom, (route) => route.abort());
  await signIn(page, server.token);
  await page.locator("section.blank").getByText("The server cannot be reached.").waitFor();
  await page.unroute(codeOfRoom);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator(".say textarea").waitFor();
  expect(await page.locator("section.blank").count()).toBe(0);
});
