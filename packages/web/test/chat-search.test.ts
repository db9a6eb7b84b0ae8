import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { faultless, faultsOf } from "./axe.ts";
import { useBrowser } from "./browser.ts";
import { openChat, sizes, usePuppet } from "./chats.ts";

const browser = useBrowser();

/** A server with these conversations, as questions and their replies. */
async function useConversations(...conversations: readonly (readonly (readonly [string, string])[])[]) {
  const { puppet, server } = await usePuppet();
  const caller = await server.telex.authenticate(server.token);
  for (const turns of conversations) {
    let conversationId: number | undefined;
    for (const [content, reply] of turns) {
      puppet.say(reply);
      puppet.finish();
      const asked = { content, ...(conversationId !== undefined && { conversationId }) };
      for await (const event of await server.telex.ai.chat(caller, asked, {})) ({ conversationId } = event);
    }
  }
  return server;
}

const many = Array.from({ length: 60 }, (_, number) => [`Tide ${number}`, `It is **high** at ${number}.`] as const);

async function openList(
  server: Awaited<ReturnType<typeof useConversations>>,
  size: Partial<(typeof sizes)[number]> = {},
) {
  const page = await openChat(browser(), server, size.viewport === undefined ? {} : { viewport: size.viewport });
  await page.goto(`${server.url}/user/chat/`);
  return page;
}

const box = (page: Page) => page.getByRole("searchbox", { name: "Search conversations" });
const hits = (page: Page) => page.locator(".found-messages li");
const isInView = (page: Page, text: string): Promise<boolean> =>
  page.locator(".messages li", { hasText: text }).evaluate((line) => {
    const { top, bottom } = line.getBoundingClientRect();
    const view = line.closest(".scroll")?.getBoundingClientRect();
    return view !== undefined && top >= view.top && bottom <= view.bottom;
  });

test.each(sizes)("a message is found by its words and by pinyin, and opens at its position, on $on", async (size) => {
  const server = await useConversations(
    [["Where is 北京烤鸭 from?", "From Beijing."], ...many],
    [["Name a bird", "Wren."]],
  );
  const page = await openList(server, size);
  await box(page).fill("bjky");
  await expect.poll(() => hits(page).locator("mark").allTextContents()).toEqual(["北京烤鸭"]);
  expect(await faultsOf(page)).toEqual(faultless);
  await hits(page).getByRole("link").click();
  await expect.poll(() => isInView(page, "北京烤鸭")).toBe(true);
  expect(await page.evaluate(() => document.activeElement?.matches(".question.target"))).toBe(true);
  expect(await faultsOf(page)).toEqual(faultless);
  await page.reload();
  await page.locator(".question.target").waitFor();
  await expect.poll(() => isInView(page, "北京烤鸭")).toBe(true);
  await page.getByRole("button", { name: "Jump to the end" }).click();
  await expect.poll(() => isInView(page, "It is high at 59.")).toBe(true);
});

test("results lead from one message to the next with the keyboard", async () => {
  const server = await useConversations(many);
  const page = await openList(server);
  await box(page).focus();
  await page.keyboard.type("tide 1");
  await expect.poll(() => hits(page).count()).toBe(11);
  const open = async (text: string): Promise<void> => {
    await hits(page).getByRole("link").filter({ hasText: text }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => isInView(page, text)).toBe(true);
  };
  await open("Tide 10");
  await open("Tide 19");
  expect(await page.locator(".found-messages a[aria-current]").textContent()).toContain("Tide 19");
});

test("a search result does not scroll an open conversation further down", async () => {
  const server = await useConversations([["Name a bird", "Wren."]]);
  const page = await openList(server);
  await box(page).fill("wren");
  await hits(page).getByRole("link").click();
  await page.locator(".answer.target").waitFor();
  expect(await page.getByRole("button", { name: "Jump to the end" }).count()).toBe(0);
});

test("the page says that nothing matches, that the search failed, and that older messages remain", async () => {
  const server = await useConversations(many.slice(0, 30));
  const page = await openList(server);
  await box(page).fill("nowhere");
  await page.getByText("No question or answer contains all these words.").waitFor();
  expect(await faultsOf(page)).toEqual(faultless);
  await page.route("**/sseStream/search?*", (route) => route.abort());
  await box(page).fill("high");
  await page.locator(".found-messages").getByRole("button", { name: "Try again" }).waitFor();
  expect(await faultsOf(page)).toEqual(faultless);
  await page.unroute("**/sseStream/search?*");
  await page.locator(".found-messages").getByRole("button", { name: "Try again" }).click();
  await page.getByText("20 found so far.").waitFor();
  expect(await faultsOf(page)).toEqual(faultless);
  await page.getByRole("button", { name: "Search further back" }).click();
  await page.getByText("30 found.").waitFor();
});
