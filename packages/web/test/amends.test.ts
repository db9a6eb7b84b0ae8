import { expect, test } from "vitest";
import { faultless, faultsOf } from "./axe.ts";
import { openAt, useBrowser } from "./browser.ts";
import { signInByForm } from "./accounts.ts";
import { said } from "./rooms.ts";
import { beginRooms, desk, phone, screens } from "./scene.ts";

const browser = useBrowser();

/** Alice in a room with messages of her and Bob, and a page of Bob. */
async function begin(screen: object = desk) {
  const scene = await beginRooms(browser(), screen);
  const { server, page, alice, bob, known } = scene;
  const { groupId } = known;
  await bob.messages.send({ groupId, groupType: 1, message: "from bob" });
  const own = await alice.messages.send({ groupId, groupType: 1, message: "from alise" });
  await page.goto(`${server.url}/user/rooms/${groupId}`);
  await expect.poll(() => said(page)).toEqual(["from bob", "from alise"]);
  return { ...scene, groupId, own };
}

test("a message is edited in place with the keyboard, gets a reaction and is pinned, and all members see it", async () => {
  const { server, page, groupId } = await begin();
  const other = await openAt(browser(), server.url, "/user/sign-in", desk);
  await signInByForm(other, "bob");
  await other.goto(`${server.url}/user/rooms/${groupId}`);
  await expect.poll(() => said(other)).toEqual(["from bob", "from alise"]);
  await page.locator(".message-box textarea").focus();
  await page.keyboard.press("ArrowUp");
  await page.getByRole("button", { name: "Edit" }).focus();
  await page.keyboard.press("Enter");
  const box = page.getByLabel("Edited message");
  await box.waitFor();
  await box.press("Backspace");
  await box.press("Backspace");
  await page.keyboard.type("ce");
  await page.keyboard.press("Enter");
  for (const each of [page, other]) await expect.poll(() => said(each)).toEqual(["from bob", "from alice"]);
  await other.locator(".message-box textarea").pressSequentially("I");
  await page.getByText("bob is typing").waitFor();
  await other.getByText("edited", { exact: true }).waitFor();
  await page.locator(".message-list > li").first().waitFor();
  await page.locator(".message", { hasText: "from bob" }).hover();
  await page.getByRole("button", { name: "React", exact: true }).click();
  await page.getByRole("button", { name: "React with 🎉" }).click();
  const reaction = other.getByRole("button", { name: "🎉 1: alice" });
  await reaction.click();
  await page.getByRole("button", { name: "🎉 2: alice, bob" }).waitFor();
  await page.getByRole("button", { name: "🎉 2: alice, bob" }).click();
  await other.getByRole("button", { name: "🎉 1: bob" }).waitFor();
  await page.locator(".message", { hasText: "from bob" }).hover();
  await page.getByRole("button", { name: "Pin in this room" }).click();
  await page.getByRole("button", { name: "Pinned" }).click();
  await page
    .getByRole("dialog")
    .getByRole("link", { name: /from bob/ })
    .click();
  await page.locator(".target", { hasText: "from bob" }).waitFor();
});

test("a long press on a phone opens the actions for a message", async () => {
  const { page } = await begin(phone);
  const line = page.locator(".message", { hasText: "from bob" });
  await line.dispatchEvent("pointerdown", { pointerType: "touch" });
  const sheet = page.getByRole("dialog", { name: "Message from bob" });
  await sheet.getByRole("button", { name: "Quote" }).waitFor();
  expect(await faultsOf(page)).toEqual(faultless);
  await sheet.getByRole("button", { name: "Quote" }).click();
  await page.getByText("Quoting bob").waitFor();
});

test("the finger that opens the actions for a message does not choose one when it is lifted", async () => {
  const { page } = await begin(phone);
  const line = page.locator(".message", { hasText: "from alise" });
  const { x = 0, y = 0 } = (await line.boundingBox()) ?? {};
  const finger = await page.context().newCDPSession(page);
  const touchPoints = [{ x: x + 100, y: y + 30 }];
  await finger.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  const sheet = page.getByRole("dialog", { name: "Message from alice" });
  await sheet.getByRole("button", { name: "Recall" }).waitFor();
  await finger.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await sheet.getByRole("button", { name: "Quote" }).tap();
  await page.getByText("Quoting alice").waitFor();
  await sheet.waitFor({ state: "detached" });
  expect(await said(page)).toEqual(["from bob", "from alise"]);
});

test("with the keyboard, the focus stays on a message after a reaction, an edit and a recall, and is visible", async () => {
  const { page } = await begin();
  const line = page.locator(".message").last();
  const isFocused = (): Promise<boolean> => line.evaluate((element) => element === document.activeElement);
  await page.locator(".message-box textarea").focus();
  await page.keyboard.press("ArrowUp");
  const ring = line.locator(".band");
  await expect.poll(() => ring.evaluate((band) => getComputedStyle(band).outlineStyle)).toBe("solid");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "React with 👀" }).focus();
  await page.keyboard.press("Enter");
  const react = page.getByRole("button", { name: "React", exact: true });
  await expect.poll(() => react.evaluate((element) => element === document.activeElement)).toBe(true);
  for (const key of ["Escape", "Enter"]) {
    await page.getByRole("button", { name: "Edit" }).focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Edited message").press(key);
    await expect.poll(isFocused).toBe(true);
  }
  await page.getByRole("button", { name: "Recall" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => said(page)).toEqual(["from bob", "This message was recalled."]);
  expect(await isFocused()).toBe(true);
});

test.each(screens)("on $on, a person reacts with one of many emoji", async ({ screen }) => {
  const { page } = await begin(screen);
  const line = page.locator(".message", { hasText: "from bob" });
  if (screen === phone) await line.dispatchEvent("pointerdown", { pointerType: "touch" });
  else {
    await line.hover();
    await page.getByRole("button", { name: "React", exact: true }).click();
  }
  const more = page.getByRole("button", { name: "More emoji" });
  const { x = 0, width = 0 } = (await more.boundingBox()) ?? {};
  expect(x + width).toBeLessThanOrEqual((page.viewportSize()?.width ?? 0) - 8);
  await more.click();
  const dialog = page.getByRole("dialog", { name: "React" });
  await dialog.getByRole("button", { name: "React with ☕" }).waitFor();
  expect(await faultsOf(page)).toEqual(faultless);
  for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "Enter"])
    await page.keyboard.press(key);
  await line.getByRole("button", { name: "😄 1: alice" }).waitFor();
  await expect.poll(() => dialog.count()).toBe(0);
});

test("a suggested member has no pinyin below the name if it is the name", async () => {
  const { page } = await begin();
  await page.locator(".message-box textarea").pressSequentially("@b");
  const option = page.locator(".mentionable li");
  await option.waitFor();
  expect((await option.textContent())?.trim()).toBe("bob");
});

test("a person joins with a link, is notified only of mentions, and sees their number", async () => {
  const { server, page, bob, groupId, alice } = await begin();
  await server.member("carol");
  await page.getByRole("button", { name: "Invitation link" }).click();
  const link = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
  expect(link).toContain("/user/join#");
  await page.getByRole("button", { name: "Close" }).last().click();
  const carol = await openAt(browser(), server.url, "/user/sign-in", desk);
  await signInByForm(carol, "carol");
  await carol.goto(`${server.url}/user/rooms/#join`);
  await carol.getByLabel("Link", { exact: true }).fill(link);
  await carol.getByRole("button", { name: "Join", exact: true }).click();
  await carol.locator(".room").getByRole("heading", { name: "Office" }).waitFor();
  await page.locator(".notice", { hasText: "carol joined the room" }).waitFor();
  await page.getByLabel("Notify me about").selectOption("mentions");
  await expect.poll(async () => (await alice.rooms.find({ groupId })).notify).toBe("mentions");
  await page.goto(`${server.url}/user/teleprinter/`);
  const { list } = await bob.rooms.members({ groupId });
  const userId = Number(list.find(({ nickname }) => nickname === "alice")?.userId);
  await bob.messages.send({ groupId, groupType: 1, message: [{ type: "at", data: { userId } }] });
  await page.setViewportSize(phone.viewport);
  await page.goto(`${server.url}/user/rooms/`);
  await expect.poll(() => page.locator(".talks .count [aria-hidden]").allTextContents()).toEqual(["@1", "1"]);
});
