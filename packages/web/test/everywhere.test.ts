import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useAccounts } from "./accounts.ts";
import { openSignedIn, useBrowser, useServer } from "./browser.ts";
import { useRoom } from "./rooms.ts";
import { beginRooms, phone } from "./scene.ts";

const browser = useBrowser();

test("the title of the tab shows the open room, and the number of unread messages elsewhere", async () => {
  const { page, bob, alice, bobId } = await beginRooms(browser());
  const { groupId } = await alice.groups.create({ name: "Garden", members: [bobId] });
  await page.getByRole("link", { name: /Office/ }).click();
  await expect.poll(() => page.title()).toBe("Office · Telex");
  await bob.messages.send({ groupId, groupType: 1, message: "one" });
  await bob.messages.send({ groupId, groupType: 1, message: "two" });
  await expect.poll(() => page.title()).toBe("(2) Office · Telex");
  await bob.messages.send({ groupId, groupType: 1, message: "@alice three" });
  await expect.poll(() => page.title()).toBe("(@1) Office · Telex");
  await page.getByRole("link", { name: /Garden/ }).click();
  await expect.poll(() => page.title()).toBe("Garden · Telex");
});

/** The outline colour of the focused element, and the colour of errors there. */
const ringOf = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement ?? document.body;
    const { outlineStyle, outlineColor, outlineWidth } = getComputedStyle(focused);
    const error = document.createElement("p");
    error.className = "error";
    focused.parentElement?.append(error);
    const { color } = getComputedStyle(error);
    error.remove();
    return { isShown: outlineStyle !== "none" && outlineWidth !== "0px", isError: outlineColor === color };
  });

test.each(["light", "dark"] as const)(
  "in the %s theme, the focus ring is shown only for the keyboard, and never in the colour of errors",
  async (colorScheme) => {
    const server = await useServer();
    await useRoom(server);
    const page = await openSignedIn(browser(), server, { place: "rooms", colorScheme });
    await page.getByRole("button", { name: "Settings" }).click();
    expect(await ringOf(page)).toMatchObject({ isShown: false });
    await page.keyboard.press("Tab");
    expect(await ringOf(page)).toEqual({ isShown: true, isError: false });
    await page.keyboard.press("Shift+Tab");
    expect(await ringOf(page)).toEqual({ isShown: true, isError: false });
  },
);

test("the bell asks the browser for permission, and shows that it was denied", async () => {
  const server = await useServer();
  const page = await openSignedIn(browser(), server);
  await page.addInitScript(() => {
    let permission = "default";
    Object.assign(globalThis, {
      Notification: {
        get permission(): string {
          return permission;
        },
        requestPermission(): Promise<string> {
          permission = "denied";
          return Promise.resolve(permission);
        },
      },
    });
  });
  await page.reload();
  await page.getByRole("button", { name: "Notifications are off" }).click();
  await page.getByText("Your browser blocks notifications from this page.").waitFor();
  await page.getByRole("button", { name: "Notifications are blocked by the browser" }).waitFor();
  expect(await page.getByRole("button", { name: /^Notifications are (on|off)/ }).count()).toBe(0);
});

test("Ctrl+K finds people and conversations as well", async () => {
  const { page, alice } = await beginRooms(browser());
  const kinds: string[] = [];
  for await (const { kind } of await alice.ai.chat({ content: "The lake in winter" })) kinds.push(kind);
  expect(kinds).toContain("delta");
  const box = page.getByRole("combobox", { name: /^Rooms, people/ });
  await page.keyboard.press("Control+k");
  await box.fill("lake in");
  await page.getByRole("option", { name: /conversation/ }).waitFor();
  await box.fill("bob");
  await page.getByRole("option", { name: /^bob/ }).first().click();
  await expect.poll(() => page.title()).toBe("bob · Telex");
});

/** The buttons, fields and lists that are too low for a finger, except links within a sentence. */
const tooLow = (page: Page): Promise<string[]> =>
  page
    .locator("button:not(.link, .skip), .button, input:not([type=checkbox], [type=range]), select")
    .evaluateAll((all) =>
      all
        .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().height < 44)
        .map((one) => one.outerHTML.slice(0, 80)),
    );

test("on a phone, everything to touch is at least 44 px high", async () => {
  const server = await useAccounts();
  const { page, id } = await server.signedIn(browser(), "alice", { ...phone, role: "admin" });
  const caller = await server.telex.authenticate((await server.issueFor(id)).token);
  await server.telex.teleprinter.register(caller, { deviceId: "kitchen", name: "Kitchen" });
  const pages = {
    "teleprinter/": ".devices a",
    "teleprinter/device/kitchen": ".composer",
    "chat/new": ".ask",
    "pictures/": "main .attach",
    "files/": ".tape",
    "account/": ".account section",
    "admin/": ".admin",
    "admin/users/": ".row",
  };
  for (const [path, shown] of Object.entries(pages)) {
    await page.goto(`${server.url}/user/${path}`);
    await page.locator(shown).first().waitFor();
    await expect.poll(() => tooLow(page), { message: path }).toEqual([]);
  }
});
