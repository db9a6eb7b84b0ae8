import { operator } from "@telex/core";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { faultless, faultsOf, looks } from "./axe.ts";
import { openPage, useBrowser, useServer } from "./browser.ts";
import { openRoom, type TestRoom, useRoom } from "./rooms.ts";

const browser = useBrowser();

/** The texts of the results, with the matches in brackets. */
const hits = (page: Page): Promise<string[]> =>
  page
    .locator(".hits .excerpt")
    .evaluateAll((list) =>
      list.map((hit) =>
        [...hit.childNodes]
          .map((part) => (part.nodeName === "MARK" ? `<${part.textContent}>` : part.textContent))
          .join(""),
      ),
    );

const search = async (page: Page, q: string): Promise<void> => {
  const box = page.getByRole("searchbox", { name: "Search messages" });
  await box.fill(q);
  await box.press("Enter");
};

/** Sends this number of messages, in batches of simultaneous requests. */
async function sayMany({ groupId, ben }: TestRoom, count: number, prefix = "message"): Promise<void> {
  const message = (number: number): string => `${prefix} ${number}`;
  for (let number = 0; number < count; number += 100) {
    const batch = Array.from({ length: Math.min(100, count - number) }, (_, index) => message(number + index + 1));
    await Promise.all(batch.map((text) => ben.client.messages.send({ groupId, groupType: 1, message: text })));
  }
}

test("messages are found in all rooms or in one, newest first, with matches marked, also by pinyin", async () => {
  const server = await useServer();
  const kitchen = await useRoom(server);
  const attic = await useRoom(server, "Attic");
  await kitchen.ben.say("你好，世界");
  await attic.ben.say("say hello, or 你好");
  await kitchen.ben.say("nothing of it");
  const page = await openRoom(browser(), server, { room: kitchen, member: kitchen.ada });
  await search(page, "nihao");
  await expect.poll(() => hits(page)).toEqual(["say hello, or <你好>", "<你好>，世界"]);
  await page.getByRole("status").getByText("2 messages found.").waitFor();
  await page.getByLabel("Where to search").selectOption({ label: "Kitchen" });
  await expect.poll(() => hits(page)).toEqual(["<你好>，世界"]);
  await search(page, "zebra");
  await page.getByText("Nothing found. Try fewer or other words.").waitFor();
  await page.getByRole("searchbox").press("Escape");
  await page.locator(".talks a", { hasText: "Attic" }).waitFor();
});

test("a result opens its room at its position in the history, which scrolls both ways, with the keyboard", async () => {
  const server = await useServer();
  const room = await useRoom(server);
  await sayMany(room, 100, "before");
  await room.ben.say("the needle");
  await sayMany(room, 200, "after");
  const page = await openRoom(browser(), server, { room, member: room.ada });
  await page.getByRole("button", { name: "Search this room" }).press("Enter");
  expect(await page.getByLabel("Where to search").locator("option:checked").textContent()).toBe("Kitchen");
  await page.keyboard.type("needle");
  await page.keyboard.press("Enter");
  await expect.poll(() => hits(page)).toEqual(["the <needle>"]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const target = page.locator(".target", { hasText: "the needle" });
  await target.waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent ?? "")).toContain("the needle");
  const numbers = (word: string): Promise<number[]> =>
    page.locator(".message-list > li .print").evaluateAll(
      (lines, prefix) =>
        lines.flatMap(({ textContent }) => {
          const [first, number] = textContent.split(" ");
          return first === prefix ? [Number(number)] : [];
        }),
      word,
    );
  const view = page.locator(".room .view");
  const scrollUntil = async (pixels: number, word: string): Promise<void> => {
    await expect
      .poll(async () => {
        await view.evaluate((box, by) => box.scrollBy(0, by), pixels);
        return (await numbers(word)).length;
      })
      .toBeGreaterThanOrEqual(90);
  };
  await scrollUntil(-3000, "before");
  await page.locator(".hits a").click();
  await expect.poll(() => target.isVisible()).toBe(true);
  await scrollUntil(3000, "after");
  await page.locator(".hits a").focus();
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("type"))).toBe("search");
});

test("more results are loaded on demand, recalled messages are removed, and a failure can be repeated", async () => {
  const server = await useServer();
  const room = await useRoom(server);
  await sayMany(room, 30, "common");
  const page = await openRoom(browser(), server, { room, member: room.ada });
  await search(page, "common");
  await page.getByText("20 messages found so far.").waitFor();
  await page.getByRole("button", { name: "Search further back" }).click();
  await page.getByText("30 messages found.").waitFor();
  const messageId = await room.ben.say("common mistake");
  await search(page, "mistake");
  await page.getByText("1 message found.").waitFor();
  await room.ben.client.messages.recall({ groupId: room.groupId, messageId });
  await page.getByText("Nothing found.").waitFor();
  await page.context().setOffline(true);
  await search(page, "common");
  await page.getByText("The server cannot be reached.").waitFor();
  await page.context().setOffline(false);
  await page.locator(".results").getByRole("button", { name: "Try again" }).click();
  await page.getByText("20 messages found so far.").waitFor();
  expect((await hits(page))[0]).toBe("<common> 30");
});

test("a room that the person has left is no longer searched, and the page says so", async () => {
  const server = await useServer();
  const room = await useRoom(server);
  await room.ben.say("secret");
  const page = await openRoom(browser(), server, { room, member: room.ada });
  await page.getByRole("button", { name: "Search this room" }).click();
  await server.telex.operator.groups.amendMembers(operator, { groupId: room.groupId, remove: [server.userId] });
  await search(page, "secret");
  await page.locator(".results").getByText("You are no longer a member of this room.").waitFor();
  expect(await hits(page)).toEqual([]);
});

test.each(looks)("axe finds nothing on $on, and results lead to their room", async ({ on, ...look }) => {
  const server = await useServer();
  const room = await useRoom(server, "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerk");
  await room.ben.say(`needle ${"very".repeat(60)} שלום עולם 你好`);
  const page = await openPage(browser(), server.url, {
    place: "rooms",
    path: String(room.groupId),
    ...look,
  });
  await page.locator("input[name=token]").fill(server.token);
  await page.locator("button[type=submit]").click();
  await page.locator(".room .heading button[title]").first().click();
  await page.locator(".search input").fill("needle");
  await page.locator(".search input").press("Enter");
  await page.locator(".hits a").waitFor();
  expect(await faultsOf(page), `hits on ${on}`).toEqual(faultless);
  await page.locator(".hits a").click();
  await page.locator(".target").waitFor();
  if ("isMobile" in look) await page.locator(".back").click();
  await page.locator(".hits a").waitFor();
  expect(await faultsOf(page), `room on ${on}`).toEqual(faultless);
});
