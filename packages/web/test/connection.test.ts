import { operator } from "@telex/core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage, openSignedIn, printed, signIn, type, useBrowser, useServer } from "./browser.ts";
import { startProxy } from "./proxy.ts";
import { useDevice } from "./device.ts";

const browser = useBrowser();
const path = "device/kitchen";

const isLive = (page: Page): Promise<void> => page.getByText("Live", { exact: true }).waitFor();
const isOffline = (page: Page): Promise<void> => page.getByText("Offline", { exact: true }).waitFor();

/** Clicks the button, unless the page has already reconnected. */
const tryNow = (page: Page): Promise<void> =>
  page.getByRole("button", { name: "Try now" }).evaluateAll((buttons) => {
    for (const button of buttons) if (button instanceof HTMLElement) button.click();
  });

test("no text is lost or duplicated by a lost connection", async () => {
  const server = await useServer();
  const proxy = await startProxy(server.url);
  const device = await useDevice(server, "kitchen", "Kitchen");
  const page = await openPage(browser(), proxy.url, { path });
  await signIn(page, server.token);
  await device.print("before");
  await type(page, "also before");
  await expect.poll(() => printed(page)).toEqual(["< before", "> also before"]);
  await expect.poll(() => page.locator(".line.leaves").count()).toBe(0);
  proxy.cut();
  await isOffline(page);
  for (let number = 1; number <= 130; number += 1) await device.print(`missed ${number}`);
  await type(page, "typed without a line");
  await page.getByText("will be sent when you are online").waitFor();
  await device.take();
  proxy.mend();
  await tryNow(page);
  await isLive(page);
  const missed = Array.from({ length: 130 }, (_, index) => `< missed ${index + 1}`);
  await expect.poll(() => printed(page)).toEqual(["< before", "> also before", ...missed, "> typed without a line"]);
  expect(await device.take()).toEqual(["typed without a line"]);
  await page.locator(".line.to .done").first().waitFor({ state: "attached" });
});

test("a browser without a network says so, and catches up automatically", async () => {
  const server = await useServer();
  const device = await useDevice(server, "kitchen", "Kitchen");
  const page = await openSignedIn(browser(), server, { path });
  await device.print("one");
  await expect.poll(() => printed(page)).toEqual(["< one"]);
  await page.context().setOffline(true);
  await isOffline(page);
  await device.print("two");
  await type(page, "three");
  await page.context().setOffline(false);
  await isLive(page);
  await expect.poll(() => printed(page)).toEqual(["< one", "< two", "> three"]);
});

test("the page reconnects to a restarted server", async () => {
  const server = await useServer();
  const device = await useDevice(server, "kitchen", "Kitchen");
  const page = await openSignedIn(browser(), server, { path });
  await type(page, "before");
  await expect.poll(() => printed(page)).toEqual(["> before"]);
  await server.stop();
  await isOffline(page);
  await type(page, "while it was away");
  await server.start();
  await tryNow(page);
  await isLive(page);
  await device.print("after");
  await expect.poll(() => printed(page)).toEqual(["> before", "> while it was away", "< after"]);
  expect(await device.take()).toEqual(["before", "while it was away"]);
});

test("a text whose response is lost is stored once", async () => {
  const server = await useServer();
  const device = await useDevice(server, "kitchen", "Kitchen");
  const page = await openSignedIn(browser(), server, { path });
  let lost = 0;
  await page.route("**/teleprinter/send", async (route) => {
    if (lost > 0) return await route.continue();
    lost += 1;
    await route.fetch();
    return await route.abort("connectionreset");
  });
  await type(page, "once");
  await expect.poll(() => page.locator(".line.leaves").count(), { timeout: 15_000 }).toBe(0);
  await expect.poll(() => printed(page)).toEqual(["> once"]);
  expect(lost).toBe(1);
  expect(await device.take()).toEqual(["once"]);
});

test("texts that wait for the connection survive a reload, and are sent in the order of typing", async () => {
  const server = await useServer();
  const proxy = await startProxy(server.url);
  const device = await useDevice(server, "kitchen", "Kitchen");
  const page = await openPage(browser(), proxy.url, { path });
  await signIn(page, server.token);
  await page.getByText("An empty roll").waitFor();
  proxy.cut();
  await isOffline(page);
  for (const text of ["one", "two", "three"]) await type(page, text);
  await expect.poll(() => printed(page)).toEqual(["> one", "> two", "> three"]);
  proxy.mend();
  await page.reload();
  await isLive(page);
  await expect.poll(() => page.locator(".line.leaves").count()).toBe(0);
  await expect.poll(() => printed(page)).toEqual(["> one", "> two", "> three"]);
  expect(await device.take()).toEqual(["one", "two", "three"]);
});

test("a revoked token ends the session with an explanation, and keeps the drafts", async () => {
  const server = await useServer();
  await useDevice(server, "kitchen", "Kitchen");
  const { id, token } = await server.issueToken(["chat"]);
  const page = await openPage(browser(), server.url, { path });
  await signIn(page, token);
  await page.locator(".composer textarea").fill("unfinished");
  await server.telex.operator.tokens.revoke(operator, { token: String(id) });
  await page.getByText(/Your token has expired or was revoked/).waitFor();
  await signIn(page, server.token);
  await expect.poll(() => page.locator(".composer textarea").inputValue()).toBe("unfinished");
});
