import { describe, expect, test } from "vitest";
import { openSignedIn, printed, type, useBrowser, useServer } from "./browser.ts";
import { useDevice } from "./device.ts";

const browser = useBrowser();
const path = "device/kitchen";

test("two browsers and the device see the same texts, immediately and in order", async () => {
  const server = await useServer();
  const device = await useDevice(server, "kitchen", "Kitchen");
  const one = await openSignedIn(browser(), server, { path });
  const two = await openSignedIn(browser(), server, { path });
  await type(one, "first");
  await expect.poll(() => printed(two)).toEqual(["> first"]);
  await device.print("READY");
  await type(two, "second\nline");
  const paper = ["> first", "< READY", "> second\nline"];
  await expect.poll(() => printed(one)).toEqual(paper);
  await expect.poll(() => printed(two)).toEqual(paper);
  expect(await device.take()).toEqual(["first", "second\nline"]);
});

test("a text is shown as waiting in every browser until the device receives it", async () => {
  const server = await useServer();
  const device = await useDevice(server, "kitchen", "Kitchen");
  const one = await openSignedIn(browser(), server, { path });
  const two = await openSignedIn(browser(), server, { path });
  await type(one, "are you there?");
  await one.getByText("waits for the device").waitFor();
  await two.getByText("waits for the device").waitFor();
  await device.take();
  for (const page of [one, two]) {
    await page.locator(".line .done").getByText("delivered").waitFor();
    await expect.poll(() => page.locator(".line.waits").count()).toBe(0);
  }
});

test("a text that is sent twice is on the paper twice, and a text that is sent once is there once", async () => {
  const server = await useServer();
  await useDevice(server, "kitchen", "Kitchen");
  const one = await openSignedIn(browser(), server, { path });
  const two = await openSignedIn(browser(), server, { path });
  await Promise.all([type(one, "same words"), type(two, "same words")]);
  await expect.poll(() => printed(one)).toEqual(["> same words", "> same words"]);
  await expect.poll(() => printed(two)).toEqual(["> same words", "> same words"]);
});

describe("history", () => {
  async function longRoll() {
    const server = await useServer();
    const device = await useDevice(server, "kitchen", "Kitchen");
    const words = Array.from({ length: 230 }, (_, index) => `text ${index + 1}`);
    for (const word of words) await device.print(word);
    const page = await openSignedIn(browser(), server, { path });
    await page.getByText("text 230").waitFor();
    return { server, device, page, paper: words.map((word) => `< ${word}`) };
  }

  test("unrolls when it is scrolled to, whole and in order", async () => {
    const { page, paper } = await longRoll();
    expect((await printed(page)).length).toBeLessThan(paper.length);
    await page.locator(".view").focus();
    await expect
      .poll(
        async () => {
          await page.keyboard.press("Home");
          return await printed(page);
        },
        { timeout: 20_000 },
      )
      .toEqual(paper);
    await page.getByText("The roll begins here.").waitFor();
  });

  test("is not disturbed by new texts: a button leads to them", async () => {
    const { page, device } = await longRoll();
    const view = page.locator(".view");
    await view.evaluate((element) => element.scrollBy(0, -600));
    const line = page.getByText("text 205", { exact: true });
    await line.scrollIntoViewIfNeeded();
    await expect.poll(() => page.locator(".below").count()).toBe(0);
    const before = await line.boundingBox();
    for (let number = 1; number <= 53; number += 1) await device.print(`new ${number}`);
    const below = page.getByRole("button", { name: "53 new below" });
    await below.waitFor();
    const after = await line.boundingBox();
    expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2);
    await below.click();
    await expect.poll(() => view.evaluate((element) => element.scrollTop)).toBe(0);
    await expect.poll(() => page.locator(".below").count()).toBe(0);
  });
});

describe("what is typed", () => {
  test("is kept for each device, after opening another device and after a reload", async () => {
    const server = await useServer();
    await useDevice(server, "kitchen", "Kitchen");
    await useDevice(server, "attic", "Attic");
    const page = await openSignedIn(browser(), server, { path });
    const box = page.locator(".composer textarea");
    await box.fill("half a thou");
    await page.getByRole("link", { name: "Attic" }).click();
    await expect.poll(() => box.inputValue()).toBe("");
    await box.fill("something else");
    await page.getByRole("link", { name: "Kitchen" }).click();
    await expect.poll(() => box.inputValue()).toBe("half a thou");
    await page.reload();
    await expect.poll(() => box.inputValue()).toBe("half a thou");
    await page.getByRole("link", { name: /Attic.*draft/ }).waitFor();
  });

  test("is counted in code points, and not sent when it is too long", async () => {
    const server = await useServer();
    await useDevice(server, "kitchen", "Kitchen");
    const page = await openSignedIn(browser(), server, { path });
    const box = page.locator(".composer textarea");
    await box.fill("🦉".repeat(2000));
    await page.getByText("2,000 of 2,000 characters").waitFor();
    await box.fill("🦉".repeat(2001));
    await page.getByText("1 character too many").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
    await box.press("Enter");
    expect(await printed(page)).toEqual([]);
    await box.fill("🦉".repeat(2000));
    await box.press("Enter");
    await expect.poll(() => printed(page)).toEqual([`> ${"🦉".repeat(2000)}`]);
    await expect.poll(() => box.inputValue()).toBe("");
  });

  test("is sent by Enter, with new lines by Shift+Enter or the reverse, and never during composition", async () => {
    const server = await useServer();
    await useDevice(server, "kitchen", "Kitchen");
    const page = await openSignedIn(browser(), server, { path });
    const box = page.locator(".composer textarea");
    await box.fill("one");
    await box.press("Shift+Enter");
    await page.keyboard.type("two");
    await box.evaluate((element) => {
      const composed = { key: "Enter", isComposing: true, bubbles: true, cancelable: true };
      element.dispatchEvent(new KeyboardEvent("keydown", composed));
    });
    expect(await box.inputValue()).toBe("one\ntwo");
    await box.press("Enter");
    await expect.poll(() => printed(page)).toEqual(["> one\ntwo"]);
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByLabel("Enter key").selectOption("break");
    await page.keyboard.press("Escape");
    await box.fill("three");
    await box.press("Enter");
    await page.keyboard.type("four");
    await box.press("Shift+Enter");
    await expect.poll(() => printed(page)).toEqual(["> one\ntwo", "> three\nfour"]);
  });

  test("is not lost when the server rejects it", async () => {
    const server = await useServer();
    await useDevice(server, "kitchen", "Kitchen");
    const page = await openSignedIn(browser(), server, { path });
    await page.route("**/teleprinter/send", (route) =>
      route.fulfill({ status: 429, json: { code: 429, msg: "full", data: { error: "queue_full" } } }),
    );
    await type(page, "precious words");
    await page.getByText(/Too many texts are already waiting for this device/).waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    await expect.poll(() => page.locator(".composer textarea").inputValue()).toBe("precious words");
    await page.unroute("**/teleprinter/send");
    await page.locator(".composer textarea").press("Enter");
    await expect.poll(() => printed(page)).toEqual(["> precious words"]);
  });
});
