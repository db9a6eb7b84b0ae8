import { text as readText } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { faultless, faultsOf, looks, phone } from "./axe.ts";
import { openPage, openSignedIn, type PageOptions, useBrowser, useServer } from "./browser.ts";
import { useDevice } from "./device.ts";
import type { TestServer } from "./server.ts";

const browser = useBrowser();
const place = "pictures";

/** A PNG of 200 by 100 pixels that is black in the left half and white in the right, as base64. */
const draw = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const canvas = new OffscreenCanvas(200, 100);
    const brush = canvas.getContext("2d");
    if (brush === null) throw new TypeError("there is no canvas");
    brush.fillStyle = "white";
    brush.fillRect(0, 0, 200, 100);
    brush.fillStyle = "black";
    brush.fillRect(0, 0, 100, 100);
    const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
    return btoa(String.fromCharCode(...bytes));
  });

const choose = async (page: Page): Promise<void> =>
  page
    .locator("main input[type=file]")
    .setInputFiles({ name: "half.png", mimeType: "image/png", buffer: Buffer.from(await draw(page), "base64") });

const text = async (page: Page): Promise<string> => (await page.locator(".frame pre").textContent()) ?? "";
const firstLine = async (page: Page): Promise<string> => (await text(page)).split("\n")[0] ?? "";

async function begin(options: PageOptions = {}): Promise<{ server: TestServer; page: Page }> {
  const server = await useServer();
  const page = await openSignedIn(browser(), server, { place, ...options });
  await page.locator("main input[type=file]").waitFor({ state: "attached" });
  return { server, page };
}

/** Pastes or drops a picture onto the page. */
const give = (page: Page, event: "paste" | "drop", base64: string): Promise<void> =>
  page.locator("main").evaluate(
    (main, given) => {
      const bytes = Uint8Array.from(atob(given.base64), (char) => char.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], "half.png", { type: "image/png" }));
      const init = { bubbles: true, cancelable: true };
      if (given.event === "paste")
        document.dispatchEvent(new ClipboardEvent("paste", { ...init, clipboardData: data }));
      else main.dispatchEvent(new DragEvent("drop", { ...init, dataTransfer: data }));
    },
    { event, base64 },
  );

test("a picture becomes text, which follows its width, style and background", async () => {
  const { page } = await begin();
  await choose(page);
  await expect.poll(() => firstLine(page)).toBe(`${"@".repeat(40)}${" ".repeat(40)}`);
  await page.getByLabel("Width").fill("20");
  expect(await text(page)).toBe(Array.from({ length: 5 }, () => `${"@".repeat(10)}${" ".repeat(10)}`).join("\n"));
  await page.getByText("5 lines of 20, 104 characters").waitFor();
  await page.getByLabel("Light text on a dark background").check();
  expect(await firstLine(page)).toBe(`${" ".repeat(10)}${"@".repeat(10)}`);
  await page.getByLabel("Style").selectOption("blocks");
  expect(await firstLine(page)).toBe(`${" ".repeat(10)}${"█".repeat(10)}`);
  await page.getByLabel("Width").fill("200");
  expect(await firstLine(page)).toHaveLength(200);
});

test.each(["paste", "drop"] as const)("a picture can be given with a %s, and another one after it", async (event) => {
  const { page } = await begin();
  await give(page, event, await draw(page));
  await page.locator(".frame pre").waitFor();
  // One transparent pixel, which prints nothing.
  await give(page, event, "R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==");
  await expect.poll(() => text(page)).toMatch(/^( {62}\n){30} {62}$/);
});

test("the text can be copied and saved", async () => {
  const { page } = await begin({ permissions: ["clipboard-read", "clipboard-write"] });
  await choose(page);
  await page.getByLabel("Width").fill("20");
  await page.getByRole("button", { name: "Copy" }).click();
  await page.getByText("Copied").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await text(page));
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save" }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe("picture.txt");
  expect(await readText(await saved.createReadStream())).toBe(`${await text(page)}\n`);
});

test("it is printed on a device if it fits into one text, and a click makes it fit", async () => {
  const { server, page } = await begin();
  const device = await useDevice(server, "kitchen", "Kitchen");
  await choose(page);
  await expect.poll(() => page.getByRole("button", { name: "Print", exact: true }).isEnabled()).toBe(true);
  await page.getByLabel("Width").fill("100");
  const print = page.getByRole("button", { name: "Print", exact: true });
  expect(await print.isDisabled()).toBe(true);
  await page.getByText("This picture fits with 89 characters per line.").waitFor();
  await page.getByRole("button", { name: "Fit" }).click();
  expect(await firstLine(page)).toHaveLength(89);
  await print.click();
  await page.getByText("On its way to Kitchen.").waitFor();
  await expect.poll(() => device.take()).toEqual([await text(page)]);
});

test("a picture is initially as wide as the paper, and becomes narrower for narrower paper", async () => {
  const server = await useServer();
  for (const [deviceId, columns] of [
    ["a-wide", 48],
    ["b-narrow", 32],
  ] as const) {
    const device = await useDevice(server, deviceId, deviceId);
    await device.say({ can: [`columns=${columns}`] });
  }
  const page = await openSignedIn(browser(), server, { path: "device/a-wide" });
  await page.getByRole("button", { name: "More about a-wide" }).waitFor();
  // The devices are loaded from here on.
  await page.getByRole("link", { name: "Pictures" }).first().click();
  await page.locator("main input[type=file]").waitFor({ state: "attached" });
  await choose(page);
  await expect.poll(() => firstLine(page)).toHaveLength(48);
  await page.getByLabel("Print on a device").selectOption("b-narrow");
  await expect.poll(() => firstLine(page)).toHaveLength(32);
  await page.getByLabel("Print on a device").selectOption("a-wide");
  expect(await firstLine(page)).toHaveLength(32);
});

test("a file that is not a picture is rejected with an explanation", async () => {
  const { page } = await begin();
  const file = { name: "a.png", mimeType: "image/png", buffer: Buffer.from("no picture") };
  await page.locator("main input[type=file]").setInputFiles(file);
  await page.getByText(/cannot be read as a picture/).waitFor();
  await choose(page);
  await page.locator(".frame pre").waitFor();
  expect(await page.getByText(/cannot be read as a picture/).count()).toBe(0);
});

test("a touch screen asks to choose a picture, not to drop one", async () => {
  const { page } = await begin(phone);
  await page.getByRole("button", { name: "Choose a picture" }).waitFor();
  expect(await page.getByText("Drop a picture here").count()).toBe(0);
});

test("on a phone, a button with the name of the current page opens the navigation", async () => {
  const { page } = await begin(phone);
  const menu = page.getByRole("navigation", { name: "Pages" });
  expect(await menu.isVisible()).toBe(false);
  await page.getByRole("button", { name: "Pictures: other pages" }).click();
  await menu.getByRole("link", { name: "Teleprinter" }).click();
  await page.getByRole("heading", { name: "Devices", exact: true }).waitFor();
  expect(await menu.isVisible()).toBe(false);
});

test.each(looks)("axe finds nothing on $on, and nothing is wider than the screen", async ({ on, ...look }) => {
  const server = await useServer();
  await useDevice(server, "kitchen", "Kitchen");
  const page = await openPage(browser(), server.url, { place, ...look });
  await page.locator("input[name=token]").fill(server.token);
  await page.locator("button[type=submit]").click();
  await page.locator(".welcome").waitFor();
  expect(await faultsOf(page), `welcome on ${on}`).toEqual(faultless);
  await choose(page);
  await page.locator(".frame pre").waitFor();
  await page.locator("input[type=range]").fill("200");
  expect(await faultsOf(page), `picture on ${on}`).toEqual(faultless);
  await page.locator(".check input").check();
  if ("isMobile" in look) await page.locator(".here").click();
  expect(await faultsOf(page), `pages on ${on}`).toEqual(faultless);
});
