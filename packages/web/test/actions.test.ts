import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { beginRooms, screens } from "./scene.ts";

const browser = useBrowser();

/** Counts the actions of a person: a click, or a text with the Enter key. */
function countActions() {
  let count = 0;
  return {
    count: () => count,
    async press(what: Locator): Promise<void> {
      count += 1;
      await what.click();
    },
    async type(box: Locator, text: string): Promise<void> {
      count += 1;
      await box.fill(text);
      await box.press("Enter");
    },
  };
}

test.each(screens)("on $on, three actions make a room with two people", async ({ screen }) => {
  const { page, alice } = await beginRooms(browser(), screen);
  const actions = countActions();
  await actions.press(page.getByRole("link", { name: "New", exact: true }));
  await actions.type(page.getByRole("searchbox", { name: /^People/ }), "bob, li");
  await actions.press(page.getByRole("button", { name: "Create room with 2 people" }));
  await page.locator(".room").getByRole("heading", { name: "alice, bob, lin" }).waitFor();
  await page.locator(".message-box textarea").waitFor();
  expect(actions.count()).toBeLessThanOrEqual(3);
  const { list } = await alice.rooms.list({});
  expect(list.find(({ groupName }) => groupName === "alice, bob, lin")).toMatchObject({ memberCount: 3 });
});

test.each(screens)("on $on, two actions open a private chat", async ({ screen }) => {
  const { page } = await beginRooms(browser(), screen);
  const actions = countActions();
  await actions.press(page.getByRole("link", { name: "New", exact: true }));
  await actions.press(page.getByRole("button", { name: "Private chat with bob" }));
  await page.locator(".room").getByRole("heading", { name: "bob" }).waitFor();
  await page.locator(".message-box textarea").waitFor();
  expect(actions.count()).toBeLessThanOrEqual(2);
});

test.each(screens)("on $on, one action leads to the first unread message", async ({ screen }) => {
  const { page, bob, known } = await beginRooms(browser(), screen);
  for (let number = 1; number <= 60; number += 1)
    await bob.messages.send({ groupId: known.groupId, groupType: 1, message: `message ${number}` });
  const actions = countActions();
  await actions.press(page.locator(".talks a").first());
  await page.locator(".new-here").getByText("60 new").waitFor();
  const first = page.locator(".message-list > li").filter({ has: page.getByText("message 1", { exact: true }) });
  const isInSight = () =>
    first.evaluate((line) => {
      const { top, bottom } = line.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
  await expect.poll(isInSight).toBe(true);
  expect(actions.count()).toBeLessThanOrEqual(1);
});

test("a name without a match stays in the box, and the others are selected", async () => {
  const { page } = await beginRooms(browser());
  await page.getByRole("link", { name: "New", exact: true }).click();
  const box = page.getByRole("searchbox", { name: /^People/ });
  await box.fill("lin，nobody");
  await box.press("Enter");
  await page.getByText('No person matches "nobody".').waitFor();
  await page.getByRole("button", { name: "Create room with 1 person" }).waitFor();
  expect(await box.inputValue()).toBe("nobody");
});
