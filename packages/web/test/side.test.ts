import { expect, test } from "vitest";
import { faultless, faultsOf } from "./axe.ts";
import { useBrowser } from "./browser.ts";
import { beginRooms } from "./scene.ts";

const browser = useBrowser();

test("the list says notices in the language of the page, and is narrowed to what mentions the person", async () => {
  const { page, alice, bob, bobId } = await beginRooms(browser());
  const last = page.locator(".talks .last");
  await expect.poll(() => last.allTextContents()).toEqual(["alice made the room"]);
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
  await page.getByText("Nothing unread is for you in particular.").waitFor();
  await expect.poll(() => page.title()).toBe("Rooms · Telex");
});
