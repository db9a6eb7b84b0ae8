import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { signInByForm } from "./accounts.ts";
import { faultless, faultsOf } from "./axe.ts";
import { openAt, useBrowser } from "./browser.ts";
import { said, say } from "./rooms.ts";
import { beginRooms, desk, phone, screens } from "./scene.ts";

const browser = useBrowser();

const begin = (screen: object = desk) => beginRooms(browser(), screen);

/** Moves the focus to an element with the Tab key. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const element = document.activeElement;
      const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null;
      return element?.getAttribute("aria-label") ?? label ?? element?.textContent ?? "";
    });
  for (let presses = 0; presses < 40; presses += 1) {
    if (name.test(await focused())) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${name}`);
}

const roomCount = (page: Page): Promise<number> => page.locator(".talks li").count();

test.each(screens)(
  "on $on, a room with two people is made by opening the form, filling it in, and one press",
  async ({ screen }) => {
    const { page, alice } = await begin(screen);
    await page.getByRole("link", { name: "New", exact: true }).click();
    await page.getByLabel("Name", { exact: true }).fill("Sunday walks");
    await page.getByRole("checkbox", { name: "bob" }).check();
    await page.getByRole("checkbox", { name: "lin" }).check();
    await page.getByRole("button", { name: "Create room with 2 people" }).click();
    await page.locator(".room").getByRole("heading", { name: "Sunday walks" }).waitFor();
    await say(page, "Who comes?");
    await expect.poll(() => said(page)).toEqual(["Who comes?"]);
    const { list } = await alice.rooms.list({});
    const made = list.find(({ groupName }) => groupName === "Sunday walks");
    expect(made).toMatchObject({ memberCount: 3, role: "owner" });
  },
);

test.each(screens)("on $on, a private chat is opened in two presses, always the same one", async ({ screen }) => {
  const { page } = await begin(screen);
  await page.getByRole("link", { name: "New", exact: true }).click();
  await page.getByRole("button", { name: "Private chat with bob" }).click();
  await page.locator(".room").getByRole("heading", { name: "bob" }).waitFor();
  const opened = page.url();
  await say(page, "hello");
  await expect.poll(() => said(page)).toEqual(["hello"]);
  await page.goto(new URL("/user/rooms/#chat", opened).href);
  await page.locator("dialog").getByRole("button", { name: /bob/ }).click();
  await expect.poll(() => page.url()).toBe(opened);
});

test("with the keyboard, a room is created with people found by name, and named after them", async () => {
  const { page, alice } = await begin();
  await page.locator("body").press("Tab");
  await tabTo(page, /^New$/);
  await page.keyboard.press("Enter");
  await page.getByRole("checkbox", { name: "bob" }).waitFor();
  await tabTo(page, /^People/);
  await page.keyboard.type("bo");
  await expect.poll(() => page.locator(".picks li").count()).toBe(1);
  await page.keyboard.press("Enter");
  await tabTo(page, /^Create room with 1 person$/);
  await page.keyboard.press("Enter");
  await page.locator(".room").getByRole("heading", { name: "alice, bob" }).waitFor();
  expect((await alice.rooms.list({})).list).toHaveLength(2);
});

test("an owner renames the room, adds people, changes roles and removes people, with notices in the room", async () => {
  const { server, page, alice, known } = await begin();
  const carol = await server.member("carol");
  await alice.groups.create({ name: "Other", members: [carol.id] });
  await page.goto(`${server.url}/user/rooms/${known.groupId}`);
  const side = page.getByRole("complementary", { name: "Members and settings" });
  await side.getByRole("button", { name: "Name and topic" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Bureau");
  await page.getByLabel(/^Topic/).fill("Work");
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator(".room").getByRole("heading", { name: "Bureau" }).waitFor();
  await side.getByText("Work", { exact: true }).waitFor();
  await side.getByRole("button", { name: "Add people" }).click();
  await page.getByRole("checkbox", { name: "carol" }).check();
  expect(await page.getByRole("checkbox", { name: "bob" }).count()).toBe(0);
  await page.getByRole("button", { name: "Add 1 person" }).click();
  await side.getByRole("button", { name: /^carol/ }).click();
  await page.getByLabel("Role").selectOption("moderator");
  await page.getByText("The role of carol has changed.").waitFor();
  await page.keyboard.press("Escape");
  await side.getByRole("button", { name: /^bob/ }).click();
  await page.getByRole("button", { name: "Remove from the room" }).click();
  await page.getByRole("dialog", { name: "Remove bob?" }).getByRole("button", { name: "Remove from the room" }).click();
  await expect.poll(() => side.locator(".people .name").allTextContents()).toEqual(["alice", "carol", "lin"]);
  await page.locator(".notice", { hasText: "alice changed the role of carol" }).waitFor();
  const notices = await page.locator(".notice b").count();
  expect(notices).toBe(6);
  expect((await alice.rooms.find({ groupId: known.groupId })).topic).toBe("Work");
});

test("a room is archived, unarchived, left, and deleted after a confirmation", async () => {
  const { server, page, alice, bobId, known } = await begin();
  await page.goto(`${server.url}/user/rooms/${known.groupId}`);
  const side = page.getByRole("complementary", { name: "Members and settings" });
  await side.getByRole("button", { name: "Archive" }).click();
  await page.getByText("This room is archived").waitFor();
  expect(await page.locator(".message-box textarea").count()).toBe(0);
  await page.getByRole("button", { name: "Archived 1" }).click();
  await page.locator(".talks a", { hasText: "Office" }).waitFor();
  await side.getByRole("button", { name: "Unarchive" }).click();
  await page.locator(".message-box textarea").waitFor();
  await side.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await side.getByRole("button", { name: "Delete the room" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete the room" }).click();
  await page.getByText("The room is deleted.").waitFor();
  expect((await alice.rooms.list({})).list).toEqual([]);
  await page.getByText("No rooms yet.").waitFor();
  const again = await alice.groups.create({ name: "Again", members: [bobId] });
  await page.locator(".talks a", { hasText: "Again" }).click();
  await side.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await page.getByText("You have left the room.").waitFor();
  expect(await roomCount(page)).toBe(0);
  expect((await alice.rooms.list({})).list).toEqual([]);
  expect(again.memberCount).toBe(2);
});

test("a room with 120 unread messages opens at the first one, and only visible messages are marked as read", async () => {
  const { page, alice, bob, known } = await begin();
  const { groupId } = known;
  for (let number = 1; number <= 120; number += 1)
    await bob.messages.send({ groupId, groupType: 1, message: `message ${number}` });
  await page.locator(".talks a").first().click();
  const line = page.locator(".new-here");
  await line.getByText("120 new").waitFor();
  await expect
    .poll(() => page.locator(".message-list > li").filter({ hasText: "message 1" }).first().isVisible())
    .toBe(true);
  const latest = page.getByRole("button", { name: /^Latest/ });
  await expect.poll(async () => Number(/\d+/.exec((await latest.textContent()) ?? "")?.[0])).toBeLessThan(120);
  expect((await alice.rooms.find({ groupId })).unread).toBeGreaterThan(80);
  await latest.click();
  await expect.poll(async () => (await said(page)).at(-1)).toBe("message 120");
  await expect.poll(async () => (await alice.rooms.find({ groupId })).unread).toBe(0);
  await expect.poll(() => latest.count()).toBe(0);
});

test.each(screens)(
  "axe finds nothing in the forms for rooms on $on, nor where there is no room yet",
  async ({ on, screen }) => {
    const { server, page, known, alice } = await begin(screen);
    for (const dialog of ["new", "chat"]) {
      await page.goto(`${server.url}/user/rooms/${known.groupId}#${dialog}`);
      await page.locator(".picks li").nth(1).waitFor();
      expect(await faultsOf(page), `${dialog} on ${on}`).toEqual(faultless);
      await page.keyboard.press("Escape");
      await page.locator("dialog").waitFor({ state: "detached" });
    }
    if (screen === phone) await page.locator("[aria-controls=side]").click();
    await page.locator(".people button").first().waitFor();
    expect(await faultsOf(page), `side on ${on}`).toEqual(faultless);
    await page.locator(".people button").first().click();
    await page.locator("dialog select").waitFor();
    expect(await faultsOf(page), `member on ${on}`).toEqual(faultless);
    await alice.groups.remove({ groupId: known.groupId });
    await page.goto(`${server.url}/user/rooms/`);
    await page.getByRole("link", { name: "Find a person" }).waitFor();
    expect(await faultsOf(page), `empty on ${on}`).toEqual(faultless);
  },
);

test("the hint in the search for people fits into the box of a phone", async () => {
  const { page } = await begin(phone);
  await page.goto(`${new URL(page.url()).origin}/user/rooms/#new`);
  const box = page.locator(".picker [type=search]");
  await box.waitFor();
  const [words, space] = await box.evaluate((input) => {
    const { paddingLeft, paddingRight, font } = getComputedStyle(input);
    const paper = document.createElement("canvas").getContext("2d");
    if (paper === null) return [Infinity, 0];
    paper.font = font;
    const { width } = paper.measureText(input.getAttribute("placeholder") ?? "");
    return [width, input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)];
  });
  expect(words).toBeLessThan(space ?? 0);
});

test("a person writes immediately in a room that they open, but a touch screen shows no keyboard", async () => {
  const { server, page, alice, bobId, known } = await begin();
  await alice.groups.create({ name: "Walks", members: [bobId] });
  const box = page.getByLabel(/^Message to/);
  await page.getByRole("link", { name: /Walks/ }).click();
  await page.getByLabel("Message to Walks").and(page.locator(":focus")).waitFor();
  await page.keyboard.type("on foot");
  await expect.poll(() => box.inputValue()).toBe("on foot");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Rooms, people/ }).waitFor();
  await page.keyboard.type("office");
  await expect.poll(() => page.getByRole("dialog").getByRole("option").count()).toBe(1);
  await page.keyboard.press("Enter");
  await page.getByLabel("Message to Office").waitFor();
  await expect.poll(() => box.evaluate((element) => element === document.activeElement)).toBe(true);
  const touched = await openAt(browser(), server.url, "/user/sign-in", phone);
  await signInByForm(touched, "bob");
  await touched.goto(`${server.url}/user/rooms/${known.groupId}`);
  await touched.getByLabel("Message to Office").waitFor();
  await touched.locator(".people, .top").first().waitFor();
  expect(await touched.evaluate(() => document.activeElement === document.body)).toBe(true);
});
