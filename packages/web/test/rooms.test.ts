import { operator } from "@telex/core";
import { createMemoryNetwork } from "@telex/conformance/testing";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { faultless, faultsOf, looks } from "./axe.ts";
import { openPage, openSignedIn, signIn, useBrowser, useServer } from "./browser.ts";
import { startProxy } from "./proxy.ts";
import { createPuppetModel } from "./models.ts";
import { openRoom, said, say, useRoom } from "./rooms.ts";

const browser = useBrowser();

/** A GIF with one pixel. */
const dot = Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64");

const isLive = (page: Page): Promise<void> => page.getByText("Live", { exact: true }).waitFor();
const isOffline = (page: Page): Promise<void> => page.getByText("Offline", { exact: true }).waitFor();
const countOf = (page: Page): Promise<string[]> => page.locator(".talks .count [aria-hidden]").allTextContents();

async function begin() {
  const server = await useServer();
  const room = await useRoom(server);
  const page = await openRoom(browser(), server, { room, member: room.ada });
  return { server, room, page };
}

test("two people in two browsers see messages in the same order, and a bot answers both", async () => {
  const puppet = createPuppetModel();
  const server = await useServer({ models: new Map([["puppet", puppet.model]]) });
  const room = await useRoom(server);
  const { id: bot } = await server.telex.operator.users.add(operator, { nickname: "Bot", ai: "puppet" });
  await server.telex.operator.groups.amendMembers(operator, { groupId: room.groupId, add: [bot] });
  const ada = await openRoom(browser(), server, { room, member: room.ada });
  const ben = await openRoom(browser(), server, { room, member: room.ben });
  await say(ada, "one");
  await expect.poll(() => said(ben)).toEqual(["one"]);
  await say(ben, "two");
  await expect.poll(() => said(ada)).toEqual(["one", "two"]);
  await say(ada, "@Bot and you?");
  puppet.say("three");
  puppet.finish();
  for (const page of [ada, ben]) await expect.poll(() => said(page)).toEqual(["one", "two", "@Bot and you?", "three"]);
  expect(await ada.locator(".message-list > .own").count()).toBe(2);
  expect(await ben.locator(".message-list > .own").count()).toBe(1);
});

test("unread messages are counted on every page, and reading them clears the count everywhere", async () => {
  const server = await useServer();
  const room = await useRoom(server);
  await room.ben.say("before");
  const page = await openSignedIn(browser(), server);
  const badge = page.locator(".places .count");
  await expect.poll(() => badge.allTextContents()).toEqual(["11 new"]);
  await page.goto(`${server.url}/user/rooms/`);
  await expect.poll(() => countOf(page)).toEqual(["1"]);
  await room.ben.say("hello");
  await expect.poll(() => countOf(page)).toEqual(["2"]);
  await page.getByText("小王: hello").waitFor();
  const other = await openRoom(browser(), server, { room, member: room.ada });
  await expect.poll(() => said(other)).toEqual(["before", "hello"]);
  await expect.poll(() => countOf(page)).toEqual([]);
  await expect.poll(() => other.title()).toBe("Kitchen · Telex");
});

test("a message appears immediately, with its state", async () => {
  const server = await useServer();
  const room = await useRoom(server);
  const proxy = await startProxy(server.url);
  const page = await openPage(browser(), proxy.url, { place: "rooms", path: String(room.groupId) });
  await page.getByLabel("Access token", { exact: true }).fill(server.token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator(".message-box textarea").waitFor();
  await isLive(page);
  proxy.cut();
  await isOffline(page);
  await say(page, "without a line");
  await page.getByText("will be sent when you are online").waitFor();
  for (let number = 1; number <= 70; number += 1) await room.ben.say(`missed ${number}`);
  proxy.mend();
  await page.reload();
  await isLive(page);
  await expect.poll(async () => (await said(page)).slice(-2)).toEqual(["missed 70", "without a line"]);
  const { groupMessages } = await room.ada.client.messages.history({ groupId: room.groupId, groupType: 1 });
  expect(groupMessages.filter(({ content }) => content.includes("without a line"))).toHaveLength(1);
});

test("after a reconnection, no message is missing or duplicated", async () => {
  const { room, page } = await begin();
  await room.ben.say("0");
  await expect.poll(() => said(page)).toEqual(["0"]);
  await page.context().setOffline(true);
  await isOffline(page);
  await page.locator(".room .heading").getByText("Offline, sending later").waitFor();
  for (let number = 1; number <= 30; number += 1) await room.ben.say(String(number));
  await page.context().setOffline(false);
  await isLive(page);
  await expect.poll(() => said(page)).toEqual(Array.from({ length: 31 }, (_, number) => String(number)));
});

/** A room on a page that receives no events of room changes, as if it sent a message before they arrived. */
async function beginUnaware() {
  const server = await useServer();
  const room = await useRoom(server);
  const page = await openPage(browser(), server.url, { place: "rooms", path: String(room.groupId) });
  await page.routeWebSocket(/\/im\//, (near) => {
    near.connectToServer().onMessage((frame) => {
      if (!frame.toString().includes('"GroupChanged"')) near.send(frame);
    });
  });
  await signIn(page, room.ada.token);
  return { server, room, page };
}

test("a rejected message can be sent again, edited or discarded", async () => {
  const { server, room, page } = await beginUnaware();
  await say(page, "first");
  await expect.poll(() => said(page)).toEqual(["first"]);
  // The page shows the message before the server has stored it.
  await expect.poll(() => page.locator(".message .state").count()).toBe(0);
  await server.telex.operator.groups.amendMembers(operator, { groupId: room.groupId, remove: [server.userId] });
  await say(page, "second");
  await page.getByText("You are no longer a member of this room.").waitFor();
  await server.telex.operator.groups.amendMembers(operator, { groupId: room.groupId, add: [server.userId] });
  await page.getByRole("button", { name: "Send again" }).click();
  await expect.poll(() => said(page)).toEqual(["first", "second"]);
  await expect.poll(() => page.locator(".refused").count()).toBe(0);
});

test("a window that is higher than a page of history is filled", async () => {
  const server = await useServer();
  const room = await useRoom(server);
  for (let number = 1; number <= 70; number += 1) await room.ben.say(String(number));
  const page = await openRoom(browser(), server, { room, member: room.ada, viewport: { width: 800, height: 4000 } });
  await expect.poll(() => said(page)).toEqual(Array.from({ length: 70 }, (_, number) => String(number + 1)));
});

test("a high window in the middle of a room stops loading", async () => {
  const server = await useServer();
  const room = await useRoom(server);
  const ids: number[] = [];
  for (let number = 1; number <= 400; number += 1) ids.push(await room.ben.say(String(number)));
  const viewport = { width: 800, height: 2200 };
  const path = `${room.groupId}/${ids[200]}`;
  const page = await openRoom(browser(), server, { room, member: room.ada, viewport, path });
  await page.locator(".target").waitFor();
  await page.waitForLoadState("networkidle");
  expect((await said(page)).length).toBeLessThanOrEqual(300);
});

test("10,000 messages scroll both ways, with only the visible ones and their neighbours in the page", async () => {
  const server = await useServer();
  const room = await useRoom(server);
  const caller = await server.telex.authenticate(room.ben.token);
  for (let number = 0; number < 10_000; number += 500) {
    const batch = Array.from({ length: 500 }, (_, index) => `message ${number + index + 1}`);
    const { groupId } = room;
    await Promise.all(batch.map((message) => server.telex.messages.send(caller, { groupId, groupType: 1, message })));
  }
  const { groupMessages } = await room.ben.client.messages.history({ groupId: room.groupId, groupType: 1 });
  await room.ada.client.rooms.read({ groupId: room.groupId, messageId: groupMessages[0]?.messageId ?? 0 });
  const page = await openRoom(browser(), server, { room, member: room.ada });
  await expect.poll(async () => (await said(page)).length).toBeGreaterThan(40);
  const view = page.locator(".room .view");
  /** Scrolls, and waits until other messages are in the page. They are always contiguous, and limited in number. */
  const scroll = async (pixels: number): Promise<number> => {
    const [before] = await said(page);
    await view.evaluate((box, by) => box.scrollBy(0, by), pixels);
    await expect.poll(async () => (await said(page))[0]).not.toBe(before);
    const numbers = (await said(page)).map((line) => Number(line.replace("message ", "")));
    const [first = 0] = numbers;
    expect(numbers.length).toBeLessThanOrEqual(300);
    expect(numbers).toEqual(numbers.map((_, index) => first + index));
    return first;
  };
  for (let screens = 0; screens < 40; screens += 1) await scroll(-4000);
  const top = await scroll(-4000);
  expect(top).toBeLessThan(8500);
  for (let screens = 0; screens < 10; screens += 1) await scroll(12_000);
  expect(await scroll(12_000)).toBeGreaterThan(top + 300);
  await page.getByRole("button", { name: "Latest" }).click();
  await expect.poll(async () => (await said(page)).at(-1)).toBe("message 10000");
}, 300_000);

test("reading history is not disturbed by new messages, and a button leads to them", async () => {
  const { room, page } = await begin();
  for (let number = 1; number <= 60; number += 1) await room.ben.say(`message ${number}`);
  await expect.poll(async () => (await said(page)).at(-1)).toBe("message 60");
  const view = page.locator(".room .view");
  await view.evaluate((box) => box.scrollBy(0, -600));
  const line = page.locator(".message-list > li", { hasText: /message 45$/ });
  await expect.poll(() => line.isVisible()).toBe(true);
  const top = (await line.boundingBox())?.y;
  await room.ben.say("new 1");
  await room.ben.say("new 2");
  const button = page.getByRole("button", { name: "2 new" });
  await button.waitFor();
  expect((await line.boundingBox())?.y).toBeCloseTo(top ?? 0, 0);
  await button.click();
  await page.getByText("new 2", { exact: true }).last().waitFor();
  await expect.poll(() => button.count()).toBe(0);
});

test("a message is quoted, and the quote and the URL of the message lead to it", async () => {
  const { server, room, page } = await begin();
  const first = await room.ben.say("where it began");
  for (let number = 1; number <= 200; number += 1) await room.ben.say(`message ${number}`);
  await page.goto(`${server.url}/user/rooms/${room.groupId}/${first}`);
  await page.locator(".target", { hasText: "where it began" }).waitFor();
  await page.locator(".target").hover();
  await page.getByRole("button", { name: "Quote" }).click();
  await page.getByText("Quoting 小王").waitFor();
  await say(page, "I remember");
  const quote = page.getByRole("link", { name: /where it began/ });
  await quote.waitFor();
  await expect.poll(async () => (await said(page)).at(-1)).toBe("I remember");
  await quote.click();
  await page.locator(".target", { hasText: "where it began" }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/user/rooms/${room.groupId}/${first}`);
  await page.locator(".message-list > li", { hasText: "message 3" }).first().waitFor();
});

test("members are mentioned by their pinyin with the keyboard", async () => {
  const { page } = await begin();
  const box = page.locator(".message-box textarea");
  await box.focus();
  await page.keyboard.type("hello @xw");
  await page.getByRole("option", { name: /小王/ }).waitFor();
  await page.keyboard.press("Enter");
  expect(await box.inputValue()).toBe("hello @小王 ");
  await page.keyboard.type("!");
  await page.keyboard.press("Enter");
  await expect.poll(() => said(page)).toEqual(["hello @小王 !"]);
  await page.keyboard.press("ArrowUp");
  await page.getByRole("group", { name: "Actions" }).waitFor();
});

test("pictures are pasted, and shown as thumbnails, in full size and as text; files are attached and downloaded", async () => {
  const { room, page } = await begin();
  await page.locator(".message-box textarea").evaluate((box, base64) => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], "dot.gif", { type: "image/gif" }));
    box.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: data }));
  }, dot.toString("base64"));
  await page.locator(".message-box input[type=file]").setInputFiles({
    name: "notes.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("notes"),
  });
  await expect.poll(() => page.locator(".uploads").getByText("uploaded").count()).toBe(2);
  await say(page, "see");
  await page.getByRole("button", { name: "Picture from Ada" }).click();
  await page.getByRole("button", { name: "As text" }).click();
  await page.locator(".dialog pre").waitFor();
  await page.keyboard.press("Escape");
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "notes.txt", exact: true }).click();
  expect((await downloading).suggestedFilename()).toBe("notes.txt");
  const { groupMessages } = await room.ada.client.messages.history({ groupId: room.groupId, groupType: 1 });
  expect(groupMessages[0]?.type).toBe(3);
});

test("an own message is recalled within two minutes, and its content disappears for everyone", async () => {
  const { server, room, page } = await begin();
  const other = await openRoom(browser(), server, { room, member: room.ben });
  await say(page, "not this");
  await expect.poll(() => said(other)).toEqual(["not this"]);
  await page.locator(".message-list > li").last().hover();
  await page.getByRole("button", { name: "Recall" }).click();
  await page.getByText("The message was recalled.").waitFor();
  for (const each of [page, other]) await expect.poll(() => said(each)).toEqual(["This message was recalled."]);
  await say(page, "[消息已撤回]");
  const both = ["This message was recalled.", "[消息已撤回]"];
  for (const each of [page, other]) await expect.poll(() => said(each)).toEqual(both);
  await page.reload();
  await expect.poll(() => said(page)).toEqual(both);
  await other.locator(".message-list > li").last().hover();
  expect(await other.getByRole("button", { name: "Recall" }).count()).toBe(0);
});

test("a message of an external person with the same ID is not an own message", async () => {
  const network = createMemoryNetwork();
  const server = await useServer({ gateways: [network.gateway] });
  const fields = { groupType: 4 as const, name: "Tea", ext: "500", bot: "bot-1", members: [server.userId] };
  const { groupId } = await server.telex.operator.groups.add(operator, fields);
  const page = await openPage(browser(), server.url, { place: "rooms", path: String(groupId) });
  await signIn(page, server.token);
  await page.locator(".message-box textarea").waitFor();
  await isLive(page);
  const sender = { ext: String(server.userId), name: "Somebody" };
  await network.say({ sender, createTime: Date.now(), segments: [{ type: "text", data: { text: "from outside" } }] });
  await expect.poll(() => said(page)).toEqual(["from outside"]);
  await say(page, "from here");
  await expect.poll(() => said(page)).toEqual(["from outside", "from here"]);
  await page.locator(".message-list > .own").waitFor();
  expect(await page.locator(".message-list > .own .print").allTextContents()).toEqual(["from here"]);
  await page.locator(".message-list > li").first().hover();
  await page.getByRole("button", { name: "Quote" }).waitFor();
  expect(await page.getByRole("button", { name: "Recall" }).count()).toBe(0);
});

test("a draft is kept for each room, even after a reload", async () => {
  const { server, page } = await begin();
  const other = await useRoom(server, "Attic");
  await page.locator(".message-box textarea").fill("not yet");
  await page.goto(`${server.url}/user/rooms/${other.groupId}`);
  await page.locator(".message-box textarea").waitFor();
  expect(await page.locator(".message-box textarea").inputValue()).toBe("");
  await page.getByText("Draft").waitFor();
  await page.getByRole("link", { name: /Kitchen/ }).click();
  await expect.poll(() => page.locator(".message-box textarea").inputValue()).toBe("not yet");
});

test("the browser notifies of messages while the page is hidden, and the notification opens the room", async () => {
  const server = await useServer();
  const room = await useRoom(server);
  const page = await openPage(browser(), server.url, { place: "rooms", permissions: ["notifications"] });
  await page.addInitScript(() => {
    const told: string[] = [];
    const isHidden = (): boolean => Reflect.has(globalThis, "isHidden");
    Object.assign(globalThis, {
      told,
      Notification: class extends EventTarget {
        static readonly permission = "granted";
        static requestPermission(): Promise<string> {
          return Promise.resolve("granted");
        }
        constructor(title: string, { body }: { body: string }) {
          super();
          told.push(`${title} | ${body}`);
        }
        close(): void {}
      },
    });
    Object.defineProperty(document, "visibilityState", { get: () => (isHidden() ? "hidden" : "visible") });
  });
  await page.reload();
  await page.getByLabel("Access token", { exact: true }).fill(server.token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await isLive(page);
  await page.getByRole("button", { name: "Notifications are off" }).click();
  await page.getByText("You get notifications of new messages").waitFor();
  await room.ben.say("seen");
  await page.getByText("小王: seen").waitFor();
  await page.evaluate(() => Object.assign(globalThis, { isHidden: true }));
  await room.ben.say("not seen");
  const told = (): Promise<unknown> =>
    page.evaluate(() => {
      const list: unknown = Reflect.get(globalThis, "told");
      return list;
    });
  await expect.poll(told).toEqual(["Kitchen | 小王: not seen"]);
});

test("a room without membership looks like one that does not exist", async () => {
  const { server, page } = await begin();
  const { groupId } = await server.telex.operator.groups.add(operator, { groupType: 1, name: "Secret", members: [] });
  for (const id of [groupId, 999_999]) {
    await page.goto(`${server.url}/user/rooms/${id}`);
    await page.getByRole("heading", { name: "Not one of your rooms" }).waitFor();
    expect(await page.locator(".message-box").count()).toBe(0);
  }
});

test.each(looks)("axe finds nothing on $on, and nothing is wider than the screen", async ({ on, ...look }) => {
  const server = await useServer();
  const room = await useRoom(server, "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerk");
  const first = await room.ben.say(`https://telex.example/${"very".repeat(60)} שלום עולם`);
  const { groupId, ada } = room;
  const message = [
    { type: "reply" as const, data: { messageId: first } },
    { type: "text" as const, data: { text: "yes" } },
  ];
  await ada.client.messages.send({ groupId, groupType: 1, message });
  const page = await openPage(browser(), server.url, { place: "rooms", ...look });
  await page.locator("input[name=token]").fill(server.token);
  await page.locator("button[type=submit]").click();
  await page.locator(".talks a").waitFor();
  expect(await faultsOf(page), `list on ${on}`).toEqual(faultless);
  await page.locator(".talks a").click();
  await page.locator(".message-list > li").nth(1).waitFor();
  await page.locator(".message-list > li").nth(1).hover();
  await page.locator(".message-box textarea").fill("@x");
  await page.locator(".mentionable").waitFor();
  expect(await faultsOf(page), `room on ${on}`).toEqual(faultless);
  await page.locator(".message-box textarea").fill("");
  if ((await page.locator(".side").count()) === 0) await page.locator("[aria-controls=side]").click();
  await page.locator(".people li").nth(1).waitFor();
  expect(await faultsOf(page), `members on ${on}`).toEqual(faultless);
});
