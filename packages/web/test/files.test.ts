import { readFile } from "node:fs/promises";
import { operator } from "@telex/core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { faultless, faultsOf, looks, phone } from "./axe.ts";
import { openPage, openSignedIn, useBrowser, useServer } from "./browser.ts";

const browser = useBrowser();
const place = "files";

/** A GIF with one pixel. */
const dot = Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64");
const picture = { name: "dot.gif", mimeType: "image/gif", buffer: dot };
const notes = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("notes") };

const give = (page: Page, files: readonly (typeof picture)[]): Promise<void> =>
  page.locator(".files header input[type=file]").setInputFiles([...files]);

const row = (page: Page, name: string) => page.locator(".filed li", { hasText: name });

test("files are uploaded, listed with names and thumbnails, and downloaded again", async () => {
  const server = await useServer();
  const page = await openSignedIn(browser(), server, { place, permissions: ["clipboard-read", "clipboard-write"] });
  await page.locator(".files .none").getByRole("button", { name: "Upload files" }).waitFor();
  await give(page, [picture, notes]);
  await expect.poll(() => page.locator(".uploads").getByText("uploaded").count()).toBe(2);
  await row(page, "dot.gif").getByRole("button", { name: "Copy the address of dot.gif" }).click();
  await page.getByText("The address is copied.").waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(Buffer.from(await (await fetch(link)).arrayBuffer())).toEqual(dot);
  const downloading = page.waitForEvent("download");
  await row(page, "notes.txt").getByRole("button", { name: "Save notes.txt" }).click();
  const download = await downloading;
  expect([download.suggestedFilename(), await readFile(await download.path(), "utf8")]).toEqual(["notes.txt", "notes"]);
  await page.reload();
  await expect.poll(() => page.locator(".filed li").count()).toBe(2);
  await expect
    .poll(() => page.locator(".filed img").evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth))
    .toBe(1);
});

test("files are found by words in their names and by kind", async () => {
  const server = await useServer();
  const page = await openSignedIn(browser(), server, { place });
  await page.locator(".files .none").waitFor();
  await give(page, [picture, notes, { ...notes, name: "报告 <b>.txt", buffer: Buffer.from("report") }]);
  await expect.poll(() => page.locator(".filed li").count()).toBe(3);
  await page.getByRole("button", { name: "Texts" }).click();
  await expect.poll(() => page.locator(".filed li").count()).toBe(2);
  await page.getByLabel("Search by name").fill("报告");
  await expect.poll(() => page.locator(".filed li").allInnerTexts()).toHaveLength(1);
  await row(page, "报告 _b_.txt").waitFor();
  await page.getByRole("button", { name: "Pictures" }).click();
  await page.getByText("No matching files.").waitFor();
  await page.getByRole("button", { name: "Show all files" }).click();
  await expect.poll(() => page.locator(".filed li").count()).toBe(3);
});

test("a file is shared by a link, which is shown once and revoked, with the keyboard", async () => {
  const server = await useServer();
  const page = await openSignedIn(browser(), server, { place });
  await page.locator(".files .none").waitFor();
  await give(page, [notes]);
  await row(page, "notes.txt").getByRole("button", { name: "Share notes.txt by link" }).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("The link expires").selectOption("day");
  await page.getByRole("button", { name: "Create a link" }).focus();
  await page.keyboard.press("Enter");
  const url = await page.locator("dialog code").innerText();
  expect(await (await fetch(url)).text()).toBe("notes");
  await page.keyboard.press("Escape");
  await row(page, "notes.txt").getByText("link until").waitFor();
  await row(page, "notes.txt").getByRole("button", { name: "Share notes.txt by link" }).focus();
  await page.keyboard.press("Enter");
  await page
    .locator("dialog")
    .getByRole("button", { name: /^Revoke: / })
    .focus();
  await page.keyboard.press("Enter");
  await page.locator("dialog").getByRole("button", { name: "Revoke", exact: true }).click();
  await page.getByText("The link is revoked.").waitFor();
  expect((await fetch(url)).status).toBe(404);
});

test("a file shows which messages use it, and is deleted after a confirmation that explains what stays", async () => {
  const server = await useServer();
  const { telex, token, userId } = server;
  const caller = await telex.authenticate(token);
  const page = await openSignedIn(browser(), server, { place });
  await page.locator(".files .none").waitFor();
  await give(page, [notes]);
  await row(page, "notes.txt").waitFor();
  const members = [userId];
  const { groupId } = await telex.operator.groups.add(operator, { groupType: 1, name: "Garden", members });
  const [file] = (await telex.bucket.files(caller, { pageSize: 1 })).list;
  const message = [{ type: "file" as const, data: { file_id: file?.file_id ?? "", name: "notes.txt" } }];
  await telex.messages.send(caller, { groupId, groupType: 1, message });
  await page.reload();
  await page.getByRole("button", { name: "notes.txt: used in messages" }).click();
  await page.locator("dialog").getByRole("link", { name: "Garden" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Delete notes.txt" }).click();
  await page.locator("dialog").getByText("Messages that use it keep it").waitFor();
  await page.locator("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("notes.txt is deleted.").waitFor();
  await page.locator(".files .none").waitFor();
  expect(await page.locator(".filed li").count()).toBe(0);
});

test("a failed upload shows its error, and can be repeated", async () => {
  const server = await useServer();
  const page = await openSignedIn(browser(), server, { place });
  await page.locator(".files .none").waitFor();
  await page.context().setOffline(true);
  await give(page, [notes]);
  await page.getByText("The server cannot be reached.").waitFor();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Try again" }).first().click();
  await expect.poll(() => page.locator(".filed li").count()).toBe(1);
});

test("the hint on a touch screen asks to choose files, not to drop them", async () => {
  const page = await openSignedIn(browser(), await useServer(), { place, ...phone });
  await page.getByText("Choose a file, or several at once.").waitFor();
  expect(await page.getByText("drop them").count()).toBe(0);
});

test.each(looks)("axe finds nothing on $on, and nothing is wider than the screen", async ({ on, ...look }) => {
  const server = await useServer();
  const page = await openPage(browser(), server.url, { place, ...look });
  await page.locator("input[name=token]").fill(server.token);
  await page.locator("button[type=submit]").click();
  await page.locator(".files .none").waitFor();
  expect(await faultsOf(page), `no file on ${on}`).toEqual(faultless);
  await give(page, [picture, { ...notes, name: `${"long".repeat(30)}.txt` }]);
  await page.locator(".filed li").nth(1).waitFor();
  expect(await faultsOf(page), `files on ${on}`).toEqual(faultless);
  const tools = page.locator(".filed li", { hasText: "long" }).locator(".tools button");
  for (const tool of [tools.first(), tools.last()]) {
    await tool.click();
    await page.locator("dialog[open]").waitFor();
    expect(await faultsOf(page), `a dialog on ${on}`).toEqual(faultless);
    await page.keyboard.press("Escape");
  }
});
