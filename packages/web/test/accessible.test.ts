import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { faultless, faultsOf, looks, phone, sideways } from "./axe.ts";
import { openPage, openSignedIn, printed, signIn, useBrowser, useServer } from "./browser.ts";
import { useDevice } from "./device.ts";
import type { TestServer } from "./server.ts";

const browser = useBrowser();

const picture = Array.from({ length: 20 }, (_, row) => "@%#*+=-:. ".repeat(7).slice(row % 7, (row % 7) + 60)).join(
  "\n",
);

/** A GIF with one pixel. */
const dot = Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64");

async function furnish(server: TestServer): Promise<void> {
  const device = await useDevice(server, "kitchen", "Kitchen");
  await useDevice(server, "attic", "阁楼的打印机");
  const caller = await server.telex.authenticate(server.token);
  await device.print("READY.");
  await server.telex.teleprinter.send(caller, { deviceId: "kitchen", content: "Good morning!" });
  await device.take();
  await device.print(picture);
  await device.print(`A${"very".repeat(60)}long word, and שלום עולם`);
  await server.telex.teleprinter.send(caller, { deviceId: "kitchen", content: "This one waits." });
}

/** Visits all pages. */
async function* tour(page: Page, server: TestServer): AsyncGenerator<string> {
  await page.locator("input[name=token]").waitFor();
  yield "sign in";
  await page.locator("input[name=token]").fill(server.token);
  await page.locator("button[type=submit]").click();
  await page.locator(".connection.live").waitFor();
  await page.locator("main h1, .blank h2").first().waitFor();
  yield "no device";
  await furnish(server);
  await page.locator(".devices a").nth(1).waitFor();
  yield "list";
  await page.locator('a[href$="/kitchen"]').click();
  await page.locator(".line.waits").waitFor();
  yield "conversation";
  await page.locator("input[type=file]").setInputFiles({ name: "a.gif", mimeType: "image/gif", buffer: dot });
  await page.locator(".preview").waitFor();
  yield "picture";
  await page.keyboard.press("Escape");
  await page.locator("dialog[open]").waitFor({ state: "detached" });
  await page.locator(".bar > [popovertarget=settings]").click();
  yield "settings";
  await page.keyboard.press("Escape");
  for (const dialog of ["pair", "register"]) {
    await page.goto(`${server.url}/user/teleprinter/#${dialog}`);
    await page.locator("dialog[open]").waitFor();
    yield dialog;
  }
  await page.goto(`${server.url}/user/teleprinter/device/attic`);
  await page.locator(".fresh").waitFor();
  yield "fresh roll";
  await page.locator("[popovertarget=device-menu]").first().click();
  yield "device menu";
  await page.locator("#device-menu button").nth(2).click();
  await page.locator("dialog select").first().waitFor();
  yield "printed room";
  await page.keyboard.press("Escape");
  await page.locator("[popovertarget=device-menu]").first().click();
  await page.locator("#device-menu button").nth(2).click();
  yield "unregister";
}

test.each(looks)(
  "axe finds nothing on $on, and nothing is wider than the screen",
  async ({ on, ...look }) => {
    const server = await useServer();
    const page = await openPage(browser(), server.url, look);
    for await (const place of tour(page, server)) expect(await faultsOf(page), `${place} on ${on}`).toEqual(faultless);
  },
  120_000,
);

test("axe finds faults in each theme", async () => {
  const server = await useServer();
  const page = await openPage(browser(), server.url);
  await page.locator("input[name=token]").waitFor();
  await page.evaluate(() => {
    const button = document.createElement("button");
    const faint = document.createElement("p");
    faint.append("faint");
    faint.style.setProperty("color", "light-dark(#eee, #333)");
    faint.style.setProperty("background", "light-dark(#fff, #222)");
    document.querySelector("main")?.append(button, faint);
  });
  const { light, dark } = await faultsOf(page);
  const rulesOf = (faults: readonly string[]) => new Set(faults.map((fault) => fault.split(":")[0]));
  expect(rulesOf(light)).toEqual(new Set(["button-name", "color-contrast"]));
  expect(rulesOf(dark)).toEqual(new Set(["color-contrast"]));
});

test("a picture of text scrolls within its frame", async () => {
  const server = await useServer();
  await furnish(server);
  const page = await openSignedIn(browser(), server, { path: "device/kitchen", ...phone });
  const frame = page.getByRole("img", { name: "Text picture, 20 lines of 60 characters" });
  await frame.waitFor();
  const room = await frame.evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(room).toBeGreaterThan(100);
  expect(await sideways(page)).toBe(0);
});

test("the page can be used with only the keyboard", async () => {
  const server = await useServer();
  const device = await useDevice(server, "kitchen", "Kitchen");
  const page = await openPage(browser(), server.url);
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute("aria-label") ?? element?.textContent ?? "";
    });
  const tabTo = async (name: RegExp): Promise<void> => {
    for (let presses = 0; presses < 30; presses += 1) {
      if (name.test(await focused())) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`Tab does not lead to ${name}`);
  };
  await page.locator("body").press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type(server.token);
  await page.keyboard.press("Enter");
  await page.getByText("Live", { exact: true }).waitFor();
  await page.getByRole("link", { name: /^Kitchen/ }).waitFor();
  await tabTo(/^Kitchen/);
  await page.keyboard.press("Enter");
  await page.getByLabel("Text for Kitchen").waitFor();
  await tabTo(/^Text for Kitchen/);
  await page.keyboard.type("hello");
  await page.keyboard.press("Enter");
  await expect.poll(() => printed(page)).toEqual(["> hello"]);
  await expect.poll(() => page.locator(".line.leaves").count()).toBe(0);
  await device.print("HELLO");
  await expect.poll(() => printed(page)).toEqual(["> hello", "< HELLO"]);
  expect(await focused()).toBe("Text for Kitchen");
  await page.getByText("Kitchen: HELLO").waitFor({ state: "attached" });
  await page.locator("body").press("Shift+Tab");
  await tabTo(/^More about Kitchen/);
  await page.keyboard.press("Enter");
  await tabTo(/^Rename/);
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Name" }).waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
});

test("a burst of texts is announced once, with their number", async () => {
  const server = await useServer();
  const device = await useDevice(server, "kitchen", "Kitchen");
  const page = await openSignedIn(browser(), server, { path: "device/kitchen" });
  await page.getByLabel("Text for Kitchen").waitFor();
  for (let number = 1; number <= 5; number += 1) await device.print(`text ${number}`);
  await expect.poll(() => page.locator("[aria-live=polite]").textContent()).toBe("5 new texts");
});

test("the paper can be read at twice its size, and in the colours of the system", async () => {
  const server = await useServer();
  await furnish(server);
  const screen = { viewport: { width: 640, height: 480 }, forcedColors: "active", reducedMotion: "reduce" } as const;
  const page = await openPage(browser(), server.url, { path: "device/kitchen", ...screen });
  await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
  await signIn(page, server.token);
  await page.locator(".line.waits").waitFor();
  expect(await sideways(page)).toBe(0);
  await page.locator(".composer textarea").fill("it is there");
  const box = await page.getByRole("button", { name: "Send" }).boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(640);
});
