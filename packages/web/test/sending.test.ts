import { expect, test } from "vitest";
import { faultless, faultsOf } from "./axe.ts";
import { openSignedIn, printed, type, useBrowser, useServer } from "./browser.ts";
import { useDevice } from "./device.ts";

const browser = useBrowser();
const path = "device/kitchen";

test("a text is sent with a title, an urgency and a lifetime with the keyboard, and the next one has the defaults", async () => {
  const server = await useServer();
  await useDevice(server, "kitchen", "Kitchen");
  const page = await openSignedIn(browser(), server, { path, viewport: { width: 390, height: 844 } });
  await page.locator(".composer textarea").fill("Lake at seven");
  await page.getByRole("button", { name: "Options" }).press("Enter");
  await page.getByLabel("Title").waitFor();
  expect(await faultsOf(page)).toEqual(faultless);
  await page.keyboard.type("Tonight");
  await page.getByLabel("Urgency").selectOption({ label: "most urgent" });
  await page.getByLabel("Expires after").selectOption({ label: "an hour" });
  await page.getByRole("button", { name: "Options: 3 set" }).waitFor();
  await page.locator(".composer textarea").press("Enter");
  await page.locator(".line .subject", { hasText: "Tonight most urgent" }).waitFor();
  await page.getByText(/waits for the device until/).waitFor();
  await type(page, "and the usual");
  await expect.poll(() => printed(page)).toEqual(["> Lake at seven", "> and the usual"]);
  await expect.poll(() => page.locator(".subject").count()).toBe(1);
});

test("a scheduled text is below the roll until it is cancelled", async () => {
  const server = await useServer();
  const device = await useDevice(server, "kitchen", "Kitchen");
  const page = await openSignedIn(browser(), server, { path });
  await page.locator(".composer textarea").fill("Tea");
  await page.getByRole("button", { name: "Options" }).click();
  await page.getByLabel("Send at").fill(new Date(Date.now() + 86_400_000).toISOString().slice(0, 16));
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const later = page.getByRole("region", { name: "Scheduled" });
  await later.getByText(/will be sent on/).waitFor();
  await page.reload();
  await later.getByText("Tea").waitFor();
  expect(await faultsOf(page)).toEqual(faultless);
  await later.getByRole("button", { name: "Cancel sending" }).click();
  await expect.poll(() => later.count()).toBe(0);
  expect(await device.take()).toEqual([]);
});

test("a text that the device gave up on, and an expired one, are marked and no longer wait", async () => {
  const server = await useServer();
  await useDevice(server, "kitchen", "Kitchen");
  const caller = await server.telex.authenticate(server.token);
  const { teleprinter } = server.telex;
  const { id } = await teleprinter.send(caller, { deviceId: "kitchen", content: "too wide", title: "Table" });
  await teleprinter.poll(caller, { deviceId: "kitchen", ack: 0 });
  await teleprinter.poll(caller, { deviceId: "kitchen", order: "priority", failed: String(id) });
  await teleprinter.send(caller, { deviceId: "kitchen", content: "too late", life: 1 });
  const page = await openSignedIn(browser(), server, { path });
  await page.getByText("the device gave up on this text").waitFor();
  const expired = page.getByText("expired before the device received it");
  const isExpired = async (): Promise<number> => {
    await page.reload();
    await page.getByText("too late").waitFor();
    return await expired.count();
  };
  await expect.poll(isExpired, { timeout: 20_000 }).toBe(1);
});

test("one text goes to all devices with a tag, each with its own acknowledgement", async () => {
  const server = await useServer();
  const one = await useDevice(server, "kitchen", "Kitchen");
  await useDevice(server, "attic", "Attic");
  await useDevice(server, "lab", "Lab");
  const caller = await server.telex.authenticate(server.token);
  await server.telex.teleprinter.rename(caller, { deviceId: "attic", tags: ["paper"] });
  const page = await openSignedIn(browser(), server, { path });
  await page.getByRole("button", { name: "More about Kitchen" }).click();
  await page.getByRole("button", { name: "About this device" }).click();
  await page.getByText("0 to the device, 0 from it").waitFor();
  await page.getByRole("textbox", { name: "Tags" }).fill("paper, warm");
  expect(await faultsOf(page)).toEqual(faultless);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "paper", exact: true }).click();
  await expect.poll(() => page.locator(".devices .name").allTextContents()).toEqual(["Attic", "Kitchen"]);
  await page.getByRole("button", { name: "Write to 2 devices" }).click();
  await page.getByLabel("Text", { exact: true }).fill("Dinner is ready.");
  await page.getByRole("button", { name: "Send to 2 devices" }).click();
  await page.getByText("0 of 2 delivered").waitFor();
  expect(await one.take()).toEqual(["Dinner is ready."]);
  await page.getByText("1 of 2 delivered").waitFor();
  await page
    .getByRole("listitem")
    .filter({ hasText: /Attic\s*waits for the device/ })
    .waitFor();
  expect(await faultsOf(page)).toEqual(faultless);
});
