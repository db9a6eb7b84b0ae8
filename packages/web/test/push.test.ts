import { expect, test } from "vitest";
import { openPage, useBrowser, useServer } from "./browser.ts";

const browser = useBrowser();

test("the worker shows a notification, counts those of one room, and opens the message", async () => {
  const server = await useServer();
  const page = await openPage(browser(), server.url, { serviceWorkers: "allow", permissions: ["notifications"] });
  const context = page.context();
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  // The worker controls pages from their next load on.
  await page.reload();
  const [worker] = context.serviceWorkers();
  // Headless Chromium stores no notifications, so the worker's registration stores them here.
  await worker?.evaluate(`{
    const kept = new Map();
    registration.showNotification = async (title, options) =>
      void kept.set(options.tag, { title, ...options, close: () => kept.delete(options.tag) });
    registration.getNotifications = async ({ tag } = {}) =>
      [...kept.values()].filter((one) => tag === undefined || one.tag === tag);
  }`);
  const deliver = async (data: object) =>
    await worker?.evaluate(
      `void dispatchEvent(new PushEvent("push", { data: ${JSON.stringify(JSON.stringify(data))} }))`,
    );
  const shown = async (): Promise<unknown> =>
    await worker?.evaluate(
      "registration.getNotifications().then((all) => all.map(({ title, body, tag }) => `${title}|${body}|${tag}`))",
    );
  const common = { groupId: 7, groupType: 1, title: "Tea", url: "/user/rooms/7/41" };
  await deliver({ ...common, messageId: 40, count: 1, body: "Ann: hello" });
  await expect.poll(shown).toEqual(["Tea|Ann: hello|telex-room-7"]);
  await deliver({ ...common, messageId: 41, count: 3 });
  await expect.poll(shown).toEqual(["Tea|4 new messages|telex-room-7"]);
  await deliver({
    deviceId: "hall",
    event: "offline",
    minutes: 5,
    count: 1,
    title: "Hall",
    url: "https://evil.example/",
  });
  await expect.poll(shown).toContain("Hall|Offline for 5 minutes|telex-device-hall");
  const click = async (tag: string) =>
    await worker?.evaluate(`registration.getNotifications({ tag: ${JSON.stringify(tag)} }).then(([notification]) => {
      const event = new ExtendableEvent("notificationclick");
      Object.defineProperty(event, "notification", { value: notification });
      dispatchEvent(event);
    })`);
  await click("telex-device-hall");
  await expect.poll(shown).toEqual(["Tea|4 new messages|telex-room-7"]);
  expect(page.url()).not.toContain("evil");
  await click("telex-room-7");
  await page.waitForURL("**/user/rooms/7/41");
});
