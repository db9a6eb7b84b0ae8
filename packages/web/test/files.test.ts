import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { faultless, faultsOf, looks } from "./axe.ts";
import { openPage, openSignedIn, useBrowser, useServer } from "./browser.ts";

const browser = useBrowser();
const place = "files";

/** A GIF of one pixel. */
const dot = Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64");
const picture = { name: "dot.gif", mimeType: "image/gif", buffer: dot };
const notes = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("notes") };

const give = (page: Page, files: readonly (typeof picture)[]): Promise<void> =>
  page.locator("main input[type=file]").setInputFiles([...files]);

test("files are uploaded, listed with thumbnails, and downloaded again", async () => {
  const server = await useServer();
  const page = await openSignedIn(browser(), server, { place, permissions: ["clipboard-read", "clipboard-write"] });
  await page.getByText("You have not uploaded anything yet.").waitFor();
  await give(page, [picture, notes]);
  await expect.poll(() => page.locator(".uploads").getByText("uploaded").count()).toBe(2);
  await expect.poll(() => page.locator(".cards li").count()).toBe(2);
  await page
    .locator(".cards li", { hasText: ".gif" })
    .getByRole("button", { name: /^Copy the link/ })
    .click();
  await page.getByText("The link is copied.").waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(Buffer.from(await (await fetch(link)).arrayBuffer())).toEqual(dot);
  const downloading = page.waitForEvent("download");
  await page.locator(".cards li").filter({ hasNotText: ".gif" }).getByRole("button", { name: /^Save/ }).click();
  expect(await readFile(await (await downloading).path(), "utf8")).toBe("notes");
  await page.reload();
  await expect.poll(() => page.locator(".cards li").count()).toBe(2);
  await expect
    .poll(() => page.locator(".cards img").evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth))
    .toBe(1);
});

test("an upload that fails says why, and is tried again", async () => {
  const server = await useServer();
  const page = await openSignedIn(browser(), server, { place });
  await page.getByText("You have not uploaded anything yet.").waitFor();
  await page.context().setOffline(true);
  await give(page, [notes]);
  await page.getByText("The server cannot be reached.").waitFor();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Try again" }).first().click();
  await expect.poll(() => page.locator(".cards li").count()).toBe(1);
});

test.each(looks)("axe finds nothing on $on, and nothing is wider than the screen", async ({ on, ...look }) => {
  const server = await useServer();
  const page = await openPage(browser(), server.url, { place, ...look });
  await page.locator("input[name=token]").fill(server.token);
  await page.locator("button[type=submit]").click();
  await page.locator(".files .none").waitFor();
  expect(await faultsOf(page), `no file on ${on}`).toEqual(faultless);
  await give(page, [picture, { ...notes, name: `${"long".repeat(30)}.txt` }]);
  await page.locator(".cards li").nth(1).waitFor();
  expect(await faultsOf(page), `files on ${on}`).toEqual(faultless);
});
