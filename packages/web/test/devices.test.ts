import { expect, test } from "vitest";
import { openPage, openSignedIn, printed, signIn, useBrowser, useServer } from "./browser.ts";
import { useDevice } from "./device.ts";
import { useRoom } from "./rooms.ts";

const browser = useBrowser();

test("the page links to the tokens for a simulated device, and to a device that is the only one", async () => {
  const server = await useServer();
  const page = await openSignedIn(browser(), server);
  await page.locator(".no-devices").getByRole("link", { name: "Access tokens" }).click();
  await page.getByRole("heading", { name: "Access tokens" }).waitFor();
  await page.goBack();
  await useDevice(server, "kitchen", "Kitchen");
  const link = page.getByRole("link", { name: "Open your device to see its paper." });
  expect(await link.getAttribute("href")).toBe("/user/teleprinter/device/kitchen");
  await useDevice(server, "attic", "Attic");
  await page.getByText("Select a device to see its paper.").waitFor();
  expect(await link.count()).toBe(0);
  await page.getByRole("link", { name: "Attic" }).click();
  await page.getByRole("heading", { name: "Attic" }).waitFor();
});

test("the list shows immediately which devices go online and offline", async () => {
  const server = await useServer();
  const page = await openSignedIn(browser(), server);
  await page.getByText("No devices yet").waitFor();
  const device = await useDevice(server, "kitchen", "Kitchen");
  await page.getByRole("link", { name: "Kitchen online" }).waitFor();
  await page.getByText("1 of 1 online").waitFor();
  await device.leave();
  await page.getByRole("link", { name: "Kitchen last seen just now" }).waitFor();
  await expect.poll(() => page.getByText("0 of 1 online").count()).toBe(1);
});

test("the list marks devices with new texts until their paper is opened", async () => {
  const server = await useServer();
  const kitchen = await useDevice(server, "kitchen", "Kitchen");
  await useDevice(server, "attic", "Attic");
  const page = await openSignedIn(browser(), server, { path: "device/attic" });
  await kitchen.print("one");
  await kitchen.print("two");
  await page.getByRole("link", { name: /Kitchen 2 new/ }).waitFor();
  await expect.poll(() => page.title()).toBe("(2) Attic · Telex");
  await page.getByRole("link", { name: /Kitchen/ }).click();
  await expect.poll(() => printed(page)).toEqual(["< one", "< two"]);
  await expect.poll(() => page.title()).toBe("Kitchen · Telex");
});

test("only devices with the same name show their IDs", async () => {
  const server = await useServer();
  await useDevice(server, "kitchen-1", "Kitchen");
  await useDevice(server, "kitchen-2", "Kitchen");
  await useDevice(server, "attic", "Attic");
  const page = await openSignedIn(browser(), server);
  await page.getByRole("link", { name: "Kitchen kitchen-2 online" }).waitFor();
  await expect.poll(() => page.locator(".devices .id").allTextContents()).toEqual(["kitchen-1", "kitchen-2"]);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("kitchen");
  await page.getByRole("option", { name: /Kitchen \(kitchen-2\)/ }).waitFor();
});

test("online devices are first, and the focus stays on a device that moves", async () => {
  const server = await useServer();
  const attic = await useDevice(server, "attic", "Attic");
  await useDevice(server, "kitchen", "Kitchen");
  const page = await openSignedIn(browser(), server);
  const names = (): Promise<string[]> => page.locator(".devices .name").allTextContents();
  await expect.poll(names).toEqual(["Attic", "Kitchen"]);
  await page.getByRole("link", { name: "Attic" }).focus();
  await attic.leave();
  await expect.poll(names).toEqual(["Kitchen", "Attic"]);
  const focused = (): Promise<string | null | undefined> =>
    page.evaluate(() => document.activeElement?.querySelector(".name")?.textContent);
  expect(await focused()).toBe("Attic");
  await useDevice(server, "attic", "Attic");
  await expect.poll(names).toEqual(["Attic", "Kitchen"]);
  expect(await focused()).toBe("Attic");
});

test("a device is registered, renamed and unregistered", async () => {
  const server = await useServer();
  const page = await openSignedIn(browser(), server);
  await page.getByRole("link", { name: "Register by ID" }).click();
  await page.getByLabel("Device ID").fill("kitchen");
  await page.getByLabel("Name").fill("Kitchen");
  await page.getByRole("dialog").getByRole("button", { name: "Register by ID" }).click();
  await page.getByText('"Kitchen" is registered.').waitFor();
  await page.getByRole("heading", { name: "Kitchen" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/user/teleprinter/device/kitchen");

  await page.getByRole("button", { name: "More about Kitchen" }).click();
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Küche");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Küche" }).waitFor();

  await page.getByRole("button", { name: "More about Küche" }).click();
  await page.getByRole("button", { name: "Unregister" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Unregister" }).click();
  await page.getByText("No devices yet").waitFor();
  expect(new URL(page.url()).pathname).toBe("/user/teleprinter/");
  const caller = await server.telex.authenticate(server.token);
  expect(await server.telex.teleprinter.devices(caller, {})).toEqual([]);
});

test("renaming an offline device does not mark it as online", async () => {
  const server = await useServer();
  const device = await useDevice(server, "kitchen", "Kitchen");
  await device.leave();
  const page = await openSignedIn(browser(), server, { path: "device/kitchen" });
  await page.getByRole("button", { name: "More about Kitchen" }).click();
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Küche");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => page.getByRole("link", { name: /Küche last seen/ }).count()).toBe(1);
});

test("an ID that belongs to someone else is rejected with an error at the field", async () => {
  const server = await useServer();
  const other = await server.addUser("Bob");
  const theirs = await server.telex.authenticate(other.token);
  await server.telex.teleprinter.register(theirs, { deviceId: "kitchen", name: "Bob's" });
  const page = await openSignedIn(browser(), server, { path: "#register" });
  await page.getByLabel("Device ID").fill("kitchen");
  await page.getByLabel("Name").fill("Mine");
  await page.getByRole("dialog").getByRole("button", { name: "Register by ID" }).click();
  await page.getByText("This ID is registered by someone else.").waitFor();
  expect(await page.getByLabel("Device ID").getAttribute("aria-invalid")).toBe("true");
});

test("a device is paired with its code, and gets its token", async () => {
  const server = await useServer();
  const asked = await server.telex.pairing.pair(await server.telex.authenticate(null), {
    deviceId: "kitchen",
    name: "Kitchen",
  });
  const page = await openSignedIn(browser(), server);
  await page.getByRole("link", { name: "Pair a device" }).click();
  await page.getByLabel("Code on the device").fill("BBB0-BBBB");
  await page.getByRole("button", { name: "Look up" }).click();
  await page.getByText(/Codes never contain "0"/).waitFor();
  await page.getByLabel("Code on the device").fill("BBBB-BBB");
  await page.getByRole("button", { name: "Look up" }).click();
  await page.getByText(/this one has 7/).waitFor();
  await page.getByLabel("Code on the device").fill("BBBB-BBBB");
  await page.getByRole("button", { name: "Look up" }).click();
  await page.getByText(/No device shows this code/).waitFor();
  await page.getByLabel("Code on the device").fill(asked.code.toLowerCase());
  await page.getByRole("button", { name: "Look up" }).click();
  await page.getByText('Is "Kitchen" your device?').waitFor();
  expect(await page.locator(":focus").textContent()).toBe("Yes, pair it");
  const nobody = await server.telex.authenticate(null);
  expect(await server.telex.pairing.collect(nobody, { secret: asked.secret })).toMatchObject({ token: null });
  await page.getByRole("button", { name: "Yes, pair it" }).click();
  await page.getByText('"Kitchen" is paired.').waitFor();
  await page.getByRole("heading", { name: "Kitchen" }).waitFor();
  const collected = await server.telex.pairing.collect(nobody, { secret: asked.secret });
  expect(collected.token).toEqual(expect.any(String));
});

test("a code in the URL has no effect, because codes must be typed", async () => {
  const server = await useServer();
  const page = await openPage(browser(), server.url, { path: "#pair=BCDF-GHJK" });
  await signIn(page, server.token);
  expect(await page.getByRole("dialog").count()).toBe(0);
  await page.getByRole("link", { name: "Pair a device" }).click();
  expect(await page.getByLabel("Code on the device").inputValue()).toBe("");
});

test("pairing a device again explains who can read its messages, and does not rename it", async () => {
  const server = await useServer();
  const caller = await server.telex.authenticate(server.token);
  await server.telex.teleprinter.register(caller, { deviceId: "kitchen", name: "Kitchen" });
  const { code } = await server.telex.pairing.pair(await server.telex.authenticate(null), {
    deviceId: "kitchen",
    name: "Friendly printer",
  });
  const page = await openSignedIn(browser(), server);
  await page.getByRole("link", { name: "Pair a device" }).click();
  await page.getByLabel("Code on the device").fill(code);
  await page.getByRole("button", { name: "Look up" }).click();
  await page.getByText(/You already own this device as "Kitchen"/).waitFor();
  expect(await page.locator(":focus").textContent()).toBe("Use another code");
  await page.getByRole("button", { name: "Yes, pair it" }).click();
  await page.getByText('"Kitchen" is paired.').waitFor();
  const devices = await server.telex.teleprinter.devices(caller, {});
  expect(devices.map(({ name }) => name)).toEqual(["Kitchen"]);
});

test("many devices can be filtered", async () => {
  const server = await useServer();
  const caller = await server.telex.authenticate(server.token);
  for (let number = 1; number <= 12; number += 1) {
    await server.telex.teleprinter.register(caller, { deviceId: `p-${number}`, name: `Printer ${number}` });
  }
  const page = await openSignedIn(browser(), server);
  await page.getByText("12 of 12 online").waitFor();
  await page.getByLabel("Filter devices").fill("printer 1");
  await expect
    .poll(() => page.locator(".devices .name").allTextContents())
    .toEqual(["Printer 1", "Printer 10", "Printer 11", "Printer 12"]);
});

test("a device prints a room and posts in it until its owner changes this", async () => {
  const server = await useServer();
  const device = await useDevice(server, "kitchen", "Kitchen");
  const room = await useRoom(server, "Lounge");
  const page = await openSignedIn(browser(), server, { path: "device/kitchen" });
  const choose = async (name: string, onlyMentions = false): Promise<void> => {
    await page.getByRole("button", { name: "More about Kitchen" }).click();
    await page.getByRole("button", { name: "Print a room" }).click();
    await page.getByLabel("Room", { exact: true }).selectOption({ label: name });
    if (onlyMentions) await page.getByLabel("Only messages that mention me").check();
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  };
  await choose("Lounge");
  await room.ben.say("hello, printer");
  await expect.poll(() => printed(page)).toEqual(["> 小王: hello, printer"]);
  await device.print("hello, people");
  const { groupMessages } = await room.ben.client.messages.history({ groupId: room.groupId, groupType: 1 });
  expect(groupMessages[0]).toMatchObject({ nickname: "Ada", content: '[{"text":{"text":"hello, people"}}]' });
  await choose("Lounge", true);
  await room.ben.say("not for Ada");
  await room.ben.say("for @Ada");
  await expect.poll(() => printed(page)).toEqual(["> 小王: hello, printer", "< hello, people", "> 小王: for @Ada"]);
  await page.getByRole("button", { name: "More about Kitchen" }).click();
  await page.getByRole("button", { name: "Print a room" }).click();
  await page.getByLabel("Expires after").selectOption({ label: "an hour" });
  await page.getByRole("button", { name: "Save" }).click();
  await expect
    .poll(async () => (await room.ada.client.teleprinter.devices())[0]?.room)
    .toEqual({ groupId: room.groupId, mentions: true, life: 3600 });
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  await choose("No room");
  const [own] = await room.ada.client.teleprinter.devices();
  expect(own?.room).toBe(undefined);
});

test("the dialog that chooses a room can be closed while the rooms are fetched", async () => {
  const server = await useServer();
  await useDevice(server, "kitchen", "Kitchen");
  const page = await openSignedIn(browser(), server, { path: "device/kitchen" });
  const asked = Promise.withResolvers<undefined>();
  await page.route("**/im/groups?*", () => asked.resolve(undefined));
  await page.getByRole("button", { name: "More about Kitchen" }).click();
  await page.getByRole("button", { name: "Print a room" }).click();
  await asked.promise;
  expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
});
