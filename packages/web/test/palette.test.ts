import { expect, test } from "vitest";
import { faultless, faultsOf, looks } from "./axe.ts";
import { openSignedIn, useBrowser, useServer } from "./browser.ts";
import { useDevice } from "./device.ts";
import { useRoom } from "./rooms.ts";

const browser = useBrowser();

test("Ctrl+K finds rooms, devices, pages and actions by name with the keyboard", async () => {
  const server = await useServer();
  const room = await useRoom(server, "茶馆");
  await useDevice(server, "kitchen", "Kitchen");
  const page = await openSignedIn(browser(), server, { place: "rooms" });
  await page.locator(".talks a").first().waitFor();
  const box = page.getByRole("combobox", { name: /^Rooms, people/ });
  await page.keyboard.press("Control+k");
  await box.waitFor();
  await page.keyboard.type("cg");
  await expect.poll(() => page.getByRole("option").allTextContents()).toEqual(["茶馆room"]);
  await page.keyboard.press("Enter");
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/user/rooms/${room.groupId}`);
  await expect.poll(() => page.title()).toBe("茶馆 · Telex");
  await page.keyboard.press("Control+k");
  await box.waitFor();
  await page.keyboard.type("ki");
  await expect.poll(() => page.getByRole("option").first().textContent()).toBe("Kitchendevice");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.title()).toBe("Kitchen · Telex");
  await page.getByRole("button", { name: "Find" }).click();
  await box.fill("dark");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
  await page.keyboard.press("Control+k");
  await box.fill("nothing of this name");
  await page.getByText('Nothing matches "nothing of this name".').waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
});

test("the search box stays in its place while the number of results changes", async () => {
  const server = await useServer();
  await useRoom(server, "Kitchen");
  const page = await openSignedIn(browser(), server, { place: "rooms" });
  await page.locator(".talks a").first().waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("option").nth(3).waitFor();
  const box = page.getByRole("combobox", { name: /^Rooms, people/ });
  const before = await box.boundingBox();
  await page.keyboard.type("kitch");
  await expect.poll(() => page.getByRole("option").count()).toBe(1);
  expect(await box.boundingBox()).toEqual(before);
});

test.each(looks)(
  "axe finds nothing in the palette on $on, and nothing is wider than the screen",
  async ({ on: _on, ...look }) => {
    const server = await useServer();
    await useRoom(server, "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerk");
    const page = await openSignedIn(browser(), server, { place: "rooms", ...look, locale: "en-GB" });
    await page.locator(".talks a").first().waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("option").nth(3).waitFor();
    expect(await faultsOf(page)).toEqual(faultless);
  },
);
