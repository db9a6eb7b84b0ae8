import { expect, test } from "vitest";
import { faultless, faultsOf } from "./axe.ts";
import { useBrowser } from "./browser.ts";
import { beginRooms, phone } from "./scene.ts";

const browser = useBrowser();

test("the list shows notices in the language of the page, and can be filtered by mentions", async () => {
  const { page, alice, bob, bobId } = await beginRooms(browser());
  const last = page.locator(".talks .last");
  await expect.poll(() => last.allTextContents()).toEqual(["alice created the room"]);
  for (const name of ["Tea", "Walks", "Books", "Garden"]) await alice.groups.create({ name, members: [bobId] });
  const { groupId } = await alice.groups.create({ name: "Alerts", members: [bobId] });
  await bob.messages.send({ groupId, groupType: 1, message: "hello" });
  await bob.messages.send({ groupId, groupType: 1, message: "@alice come and look" });
  const badge = page.locator(".places .count");
  await expect.poll(() => badge.allTextContents()).toEqual(["@11 for you"]);
  await expect.poll(() => page.title()).toBe("(@1) Rooms · Telex");
  await page.getByRole("button", { name: "Mentions 1" }).click();
  await expect.poll(() => page.locator(".talks .name").allTextContents()).toEqual(["Alerts"]);
  expect(await faultsOf(page)).toEqual(faultless);
  await alice.rooms.read({ groupId, messageId: (await alice.rooms.find({ groupId })).lastMessage?.messageId ?? 0 });
  await page.getByText("You have no unread mentions.").waitFor();
  await expect.poll(() => page.title()).toBe("Rooms · Telex");
});

/** A GIF with one pixel. */
const dot = Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64");

async function beginSide(screen?: object) {
  const begun = await beginRooms(browser(), screen);
  await begun.page.locator(".talks a").first().click();
  if (screen === phone) await begun.page.locator("[aria-controls=side]").click();
  return { ...begun, side: begun.page.getByRole("complementary", { name: "Members and settings" }) };
}

test("a person mutes a room for an hour, which the list shows, and gives it a picture, which is shown immediately", async () => {
  const { page, side, alice, known } = await beginSide();
  await side.getByLabel("Mute").selectOption("For an hour");
  await page.locator(".talks").getByText("no notifications").waitFor();
  await expect.poll(() => side.getByLabel("Mute").locator("option:checked").textContent()).toMatch(/^Until .*\d/);
  expect((await alice.rooms.find({ groupId: known.groupId })).mutedUntil).toBeGreaterThan(0);
  await side.getByLabel("Mute").selectOption("Until I unmute it");
  await expect.poll(() => side.getByLabel("Mute").inputValue()).toBe("always");
  await side.getByLabel("Mute").selectOption("Not muted");
  await page.locator(".talks").getByText("no notifications").waitFor({ state: "detached" });
  await side.locator("input[type=file]").setInputFiles({ name: "dot.gif", mimeType: "image/gif", buffer: dot });
  await page.getByText("The room has a new picture.").waitFor();
  await page.locator(".notice", { hasText: "alice changed the picture of the room" }).waitFor();
  for (const face of [page.locator(".heading .face"), page.locator(".talks .face")])
    await expect.poll(() => face.getAttribute("src")).toMatch(/&at=\d+&size=80$/);
  await expect
    .poll(() =>
      page.locator(".heading .face").evaluate((face) => face instanceof HTMLImageElement && face.naturalWidth),
    )
    .toBeGreaterThan(0);
});

test("a person is blocked after a confirmation, and unblocked", async () => {
  const { page, side, alice, bob, bobId } = await beginSide();
  await side.getByRole("button", { name: /^bob/ }).click();
  await page.getByRole("button", { name: "Block", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Block bob?" });
  await question.getByText("They cannot find you").waitFor();
  expect(await faultsOf(page)).toEqual(faultless);
  await question.getByRole("button", { name: "Block" }).click();
  await page.getByText("bob is blocked.").waitFor();
  expect((await alice.groups.blocks({})).list.map(({ userId }) => userId)).toEqual([String(bobId)]);
  expect((await bob.groups.people({})).list.map(({ nickname }) => nickname)).not.toContain("alice");
  await page.getByRole("button", { name: "Unblock" }).click();
  await page.getByRole("button", { name: "Block", exact: true }).waitFor();
  expect((await alice.groups.blocks({})).list).toEqual([]);
});

test("on a phone, hooks and links of a room are created, listed and removed", async () => {
  const { page, side, alice, known } = await beginSide(phone);
  await side.getByRole("button", { name: "Devices, hooks and models" }).click();
  const dialog = page.getByRole("dialog", { name: "Devices, hooks and models" });
  await dialog.getByLabel("Name of the hook").fill("Alerts");
  await dialog.getByRole("button", { name: "Create a hook" }).click();
  const address = await dialog.getByRole("status").locator("code").textContent();
  await dialog.getByText("Alerts", { exact: true }).waitFor();
  expect(await faultsOf(page)).toEqual(faultless);
  const { status } = await fetch(address ?? "", { method: "POST", body: "The disk is full." });
  expect(status).toBe(200);
  await dialog.getByRole("button", { name: "Remove: Alerts" }).click();
  await page.getByRole("dialog", { name: "Remove Alerts?" }).getByRole("button", { name: "Remove" }).click();
  await dialog.getByRole("button", { name: "Remove: Alerts" }).waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  const { groupId } = known;
  await alice.groups.link({ groupId });
  await side.getByRole("button", { name: "Active links" }).click();
  await page.getByText("Used by 0 of 100, until").waitFor();
  expect(await faultsOf(page)).toEqual(faultless);
  await page.getByRole("button", { name: /^Revoke/ }).click();
  await page.getByRole("dialog", { name: "Revoke this link?" }).getByRole("button", { name: "Revoke" }).click();
  await page.getByText("This room has no active links.").waitFor();
  expect((await alice.groups.links({ groupId })).list.filter(({ revoked }) => !revoked)).toEqual([]);
});

test("on a phone, the panel makes way for the chat or the message that a person opens in it", async () => {
  const { server, page, side, alice, known } = await beginSide(phone);
  const { groupId } = known;
  const { messageId } = await alice.messages.send({ groupId, groupType: 1, message: "read this" });
  await alice.amends.pin({ groupId, messageId });
  await side.getByRole("button", { name: "Pinned" }).click();
  await page
    .getByRole("dialog")
    .getByRole("link", { name: /read this/ })
    .click();
  await page.locator(".target", { hasText: "read this" }).waitFor();
  await side.waitFor({ state: "detached" });
  await page.goto(`${server.url}/user/rooms/${groupId}`);
  await page.locator("[aria-controls=side]").click();
  await side.getByRole("button", { name: /^bob/ }).click();
  await page.getByRole("button", { name: "Private chat" }).click();
  await page.getByLabel("Message to bob").waitFor();
  await expect.poll(() => side.count()).toBe(0);
});
