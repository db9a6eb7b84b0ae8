import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage, useBrowser, useServer } from "./browser.ts";
import { useDevice } from "./device.ts";
import type { TestServer } from "./server.ts";

const browser = useBrowser();

const longWord = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft";
const picture = Array.from({ length: 20 }, () => "@%#*+=-:. ".repeat(7)).join("\n");

/** A GIF with one pixel. */
const dot = Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64");

/** Ten devices with long names, and a roll with a long word and a wide picture. */
async function furnish(server: TestServer): Promise<void> {
  const device = await useDevice(server, `device-${"0".repeat(57)}`, `0 ${longWord}`);
  for (let number = 1; number < 10; number += 1) {
    await (await useDevice(server, `device-${number}-${"x".repeat(50)}`, `${number} ${longWord}`)).leave();
  }
  const caller = await server.telex.authenticate(server.token);
  await device.print(`${longWord}${longWord}`);
  await device.print(picture);
  await server.telex.teleprinter.send(caller, { deviceId: `device-${"0".repeat(57)}`, content: longWord });
}

/** Elements that overflow or scroll horizontally, except the frames of pictures and code, and the strip of sections. */
const sideways = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const frames = ".picture, pre, .tape, .table, .sections, .unseen, .skip";
    const { clientWidth } = document.documentElement;
    const nameOf = (element: Element): string =>
      `${element.tagName.toLowerCase()}${element.id && `#${element.id}`}.${element.getAttribute("class") ?? ""}`;
    // Shortened with an ellipsis. The full text is in its title or on its own page.
    const isShortened = (element: Element | null): boolean =>
      element !== null && (getComputedStyle(element).textOverflow === "ellipsis" || isShortened(element.parentElement));
    const isSeen = (element: Element): boolean =>
      element.checkVisibility({ visibilityProperty: true }) && getComputedStyle(element).clipPath === "none";
    const isCut = (element: Element): boolean => {
      const { left, right, width } = element.getBoundingClientRect();
      const scrolls = /auto|scroll/.test(getComputedStyle(element).overflowX);
      return (
        (width > 0 && (left < -0.5 || right > clientWidth + 0.5)) ||
        (scrolls && element.scrollWidth > element.clientWidth)
      );
    };
    const inside = [...document.querySelectorAll("body, body *")].filter(
      (element) => element.closest(frames) === null && isSeen(element) && !isShortened(element.parentElement),
    );
    const whole = document.documentElement.scrollWidth > clientWidth ? ["page"] : [];
    return [...whole, ...inside.filter(isCut).map(nameOf)];
  });

/** Visits all pages. */
async function* tour(page: Page, server: TestServer): AsyncGenerator<string> {
  const { url } = server;
  yield "sign in";
  await page.locator("summary").click();
  yield "sign in, with commands";
  await page.locator("input[name=token]").fill(server.token);
  await page.locator("button[type=submit]").click();
  await page.locator(".connection.live").waitFor();
  await page.locator(".devices a").nth(9).waitFor();
  yield "list";
  await page.locator(".filter").fill(`${longWord}${longWord}`);
  yield "list without a match";
  await page.locator(".bar > [popovertarget=settings]").click();
  yield "settings";
  await page.locator("#settings a.button").click();
  await page.locator(".tokens li").first().waitFor();
  await page.locator(".owned li").nth(9).waitFor();
  yield "account";
  await page.goto(`${url}/user/teleprinter/device/device-${"0".repeat(57)}`);
  await page.locator(".line.waits").waitFor();
  await page.locator(".picture").waitFor();
  await page.locator(".composer textarea").fill("x".repeat(2001));
  yield "conversation";
  await page.locator("input[type=file]").setInputFiles({ name: "a.gif", mimeType: "image/gif", buffer: dot });
  await page.locator(".preview").waitFor();
  yield "picture";
  await page.keyboard.press("Escape");
  await page.locator("dialog[open]").waitFor({ state: "detached" });
  await page.locator(".heading > [popovertarget]").click();
  yield "device menu";
  for (const [index, name] of ["rename", "room", "unregister"].entries()) {
    if (index > 0) await page.locator(".heading > [popovertarget]").click();
    await page.locator("#device-menu button").nth(index).click();
    await page.locator("dialog[open]").waitFor();
    yield name;
    await page.keyboard.press("Escape");
    await page.locator("dialog[open]").waitFor({ state: "detached" });
  }
  for (const dialog of ["pair", "register"]) {
    await page.goto(`${url}/user/teleprinter/#${dialog}`);
    await page.locator("dialog[open]").waitFor();
    yield dialog;
  }
  await page.goto(`${url}/user/teleprinter/device/device-1-${"x".repeat(50)}`);
  await page.locator(".fresh").waitFor();
  yield "fresh roll";
  await page.goto(`${url}/user/teleprinter/device/none`);
  await page.locator("main .blank h2").waitFor();
  yield "unknown device";
  await page.goto(`${url}/user/chat/new`);
  await page.locator(".heading p:not([role])").filter({ hasText: /./ }).waitFor();
  await page.locator(".ask textarea").fill(longWord);
  await page.locator(".ask textarea").press("Enter");
  await page.locator(".reply").waitFor();
  yield "chat";
  await page.goto(`${url}/user/chat/`);
  await page.locator(".talks a").waitFor();
  yield "conversations";
  await page.goto(`${url}/user/${longWord}`);
  await page.locator("main h1").waitFor();
  yield "not found";
  await page.goto(`${url}/reference/plain`);
  await page.locator("h1").waitFor();
  yield "reference";
  await page.evaluate(() => document.querySelectorAll("details").forEach((fold) => fold.toggleAttribute("open", true)));
  yield "reference, unfolded";
}

test.each([
  { on: "phones", widths: [320, 390], isMobile: true },
  { on: "a desk", widths: [1280], isMobile: false },
])(
  "nothing is cut off, and no page scrolls horizontally, on $on",
  async ({ widths, isMobile }) => {
    const server = await useServer();
    await furnish(server);
    const height = isMobile ? 640 : 800;
    const viewport = { width: widths[0] ?? 0, height };
    const page = await openPage(browser(), server.url, { viewport, isMobile, hasTouch: isMobile });
    const found: Record<string, readonly string[]> = {};
    for await (const place of tour(page, server)) {
      for (const width of widths) {
        await page.setViewportSize({ width, height });
        const cut = await sideways(page);
        if (cut.length > 0) found[`${place}, ${width} px`] = cut;
      }
    }
    expect(found).toEqual({});
  },
  120_000,
);
