import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useAccounts } from "./accounts.ts";
import { faultless, faultsOf } from "./axe.ts";
import { useBrowser } from "./browser.ts";
import { isLive, openChat, said, sizes, usePuppet } from "./chats.ts";
import { createPuppetModel } from "./models.ts";

const browser = useBrowser();

/** A person with an account on the page of a new conversation. */
async function openAsk(options: { readonly viewport?: { readonly width: number; readonly height: number } } = {}) {
  const puppet = createPuppetModel();
  const server = await useAccounts({}, { models: new Map([["puppet", puppet.model]]) });
  const { page } = await server.signedIn(browser(), "carol", options);
  const open = async (on: Page): Promise<void> => {
    await on.goto(`${server.url}/user/chat/new`);
    await isLive(on);
  };
  await open(page);
  return { page, puppet, open };
}

const box = (page: Page) => page.locator(".ask textarea");
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name, exact: true });
const openPrompts = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Prompts", exact: true }).click();
  await dialog(page, "Prompts").waitFor();
};
const names = (page: Page) => page.locator(".prompts strong").allTextContents();

async function keep(page: Page, name: string, text?: string): Promise<void> {
  await page.getByRole("button", { name: "Save a prompt" }).click();
  const form = dialog(page, "Save a prompt");
  await form.getByLabel("Name").fill(name);
  if (text !== undefined) await form.getByLabel("Text").fill(text);
  await form.getByRole("button", { name: "Save" }).click();
  await form.waitFor({ state: "detached" });
}

test.each(sizes)("a question is kept as a prompt, used again, changed and deleted, on $on", async ({ viewport }) => {
  const { page, puppet } = await openAsk({ viewport });
  await box(page).fill("Correct the grammar of:");
  await openPrompts(page);
  await page.getByText("You have no saved prompts.").waitFor();
  expect(await faultsOf(page)).toEqual(faultless);
  await keep(page, "Tidy");
  await expect.poll(() => names(page)).toEqual(["Tidy"]);
  expect(await faultsOf(page)).toEqual(faultless);
  await page.keyboard.press("Escape");
  await box(page).fill("");
  await openPrompts(page);
  await page.getByRole("button", { name: "Use: Tidy" }).click();
  await expect.poll(() => box(page).inputValue()).toBe("Correct the grammar of:");
  expect(await box(page).evaluate((one) => one === document.activeElement)).toBe(true);
  puppet.say("Fine.");
  puppet.finish();
  await box(page).press("Enter");
  await expect.poll(() => said(page)).toEqual(["Correct the grammar of:", "Fine."]);
  await openPrompts(page);
  await page.getByRole("button", { name: "Edit: Tidy" }).click();
  await dialog(page, "Edit").getByLabel("Name").fill("Tidier");
  await dialog(page, "Edit").getByRole("button", { name: "Save" }).click();
  await expect.poll(() => names(page)).toEqual(["Tidier"]);
  await page.getByRole("button", { name: "Delete: Tidier" }).click();
  await dialog(page, "Delete “Tidier”?").getByRole("button", { name: "Delete" }).click();
  await page.getByText("You have no saved prompts.").waitFor();
  expect(await names(page)).toEqual([]);
});

test("a prompt is appended to the typed text with the keyboard, and HTML stays text", async () => {
  const { page } = await openAsk();
  const hostile = "<img src=x onerror=alert(1)>";
  await openPrompts(page);
  await keep(page, hostile, `${hostile}\nsecond line`);
  await expect.poll(() => names(page)).toEqual([hostile]);
  await page.keyboard.press("Escape");
  await box(page).fill("My text. ");
  await page.getByRole("button", { name: "Prompts", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: `Use: ${hostile}` }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => box(page).inputValue()).toBe(`My text.\n\n${hostile}\nsecond line`);
  expect(await said(page)).toEqual([]);
});

test("a prompt that another tab has deleted cannot be changed, and the typed text stays", async () => {
  const { page, open } = await openAsk();
  await openPrompts(page);
  await keep(page, "Tidy", "Correct it.");
  const other = await page.context().newPage();
  await open(other);
  await openPrompts(other);
  await keep(other, "Short", "In one sentence.");
  await expect.poll(() => names(other)).toEqual(["Tidy", "Short"]);
  await page.getByRole("button", { name: "Edit: Tidy" }).click();
  await other.getByRole("button", { name: "Delete: Tidy" }).click();
  await dialog(other, "Delete “Tidy”?").getByRole("button", { name: "Delete" }).click();
  await expect.poll(() => names(other)).toEqual(["Short"]);
  const form = dialog(page, "Edit");
  await form.getByLabel("Text").fill("Correct it, please.");
  await form.getByRole("button", { name: "Save" }).click();
  await form.getByText("does not exist").waitFor();
  expect(await form.getByLabel("Text").inputValue()).toBe("Correct it, please.");
});

test("a server without accounts does not offer prompts", async () => {
  const { server } = await usePuppet();
  const page = await openChat(browser(), server);
  await page.locator(".ask textarea").waitFor();
  expect(await page.getByRole("button", { name: "Prompts" }).count()).toBe(0);
});
