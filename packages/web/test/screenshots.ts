import { fileURLToPath } from "node:url";
import type { Client } from "@telex/http/client";
import { createClient } from "@telex/http/client";
import { type Clock, operator, systemClock } from "@telex/core";
import { createAccountClient } from "@telex/auth-server/client";
import type { Browser, Page } from "playwright-core";
import { drawTrends } from "./drawn-trends.ts";
import { keepPictures } from "./kept-pictures.ts";
import { launch } from "./launch.ts";
import { startServer, type TestServer } from "./server.ts";

// Pictures of each page and state, in two widths and two themes, compared with the last ones: `npm test -- screenshots [name]`.

const pictures = await keepPictures(fileURLToPath(new URL("../dist/screenshots/", import.meta.url)));
const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
] as const;
const themes = ["light", "dark"] as const;
/** The time of the server and of the browser: pictures of an unchanged page are the same, byte for byte. */
const now = Date.parse("2026-11-23T17:52:00Z");
const clock: Clock = { ...systemClock, now: () => now };

/** Somebody with an account. */
interface Somebody {
  readonly userId: number;
  readonly token: string;
  readonly client: Client;
}

async function addPerson(server: TestServer, username: string, nickname: string): Promise<Somebody> {
  const { members } = server.auth.services;
  const password = `${username}'s password`;
  const { userId } = await members.open({ user: { nickname }, username, password, role: null });
  const { token } = await server.issueFor(userId);
  return { userId, token, client: createClient({ url: server.url, token }) };
}

const say = (from: Somebody, groupId: number, message: string) =>
  from.client.messages.send({ groupId, groupType: 1, message });

/** Devices, and texts in each state. */
async function furnishDevices({ client: { teleprinter } }: Somebody): Promise<void> {
  const deviceId = "kitchen-1";
  await teleprinter.register({ deviceId: "kitchen-2", name: "Kitchen printer", tags: ["kitchen"] });
  await teleprinter.register({ deviceId: "lab-07", name: "Lab label writer", tags: ["lab"] });
  await teleprinter.heartbeat({ deviceId: "lab-07", fault: "paper out" });
  await teleprinter.register({ deviceId, name: "Kitchen printer", tags: ["kitchen", "paper"] });
  await teleprinter.heartbeat({ deviceId, transport: "mqtt", program: "telex device print 1.4.0", can: ["cut", "qr"] });
  await teleprinter.send({ deviceId, content: "Milk, oats, two lemons.", title: "Shopping" });
  const [first] = await teleprinter.poll({ deviceId });
  if (first !== undefined) await teleprinter.poll({ deviceId, ack: first.id });
  await teleprinter.sync({ deviceId, content: "OUT OF LEMONS. GOT LIMES." });
  const given = await teleprinter.send({ deviceId, content: "Too wide for this paper", title: "A table" });
  await teleprinter.poll({ deviceId, acks: String(given.id), order: "priority" });
  await teleprinter.send({ deviceId, content: "七点在湖边见。Lake at seven!", priority: 5, life: 3600 });
  await teleprinter.send({ deviceId, content: "And the blue blanket, please." });
  await teleprinter.send({
    deviceId,
    content: "Tea is ready.",
    title: "Tea",
    at: new Date(now + 86_400_000).toISOString(),
  });
}

/** People, rooms, and what they say. */
async function furnish(server: TestServer) {
  const alice = await addPerson(server, "alice", "alice");
  const [bob, carol, lin] = [
    await addPerson(server, "bob", "bob"),
    await addPerson(server, "carol", "carol"),
    await addPerson(server, "lin", "林小满"),
  ];
  await furnishDevices(alice);
  const groups = createAccountClient({ url: server.url, token: alice.token }).groups;
  const others = [bob, carol, lin].map(({ userId }) => userId);
  const { groupId } = await groups.create({
    name: "茶馆 Teahouse",
    topic: "Walks, tea and what the printers say.",
    members: others,
  });
  await groups.create({ name: "Reading circle", members: others });
  const chat = await groups.create({ userId: bob.userId });
  await bob.client.messages.send({ groupId: chat.groupId, groupType: 2, message: "See you there" });
  await say(bob, groupId, "Has anybody been up at the lake yet? I have not seen it since they closed the north path.");
  await say(bob, groupId, "I could bring the stove and tea.");
  await say(alice, groupId, "Yesterday. 我在湖边看日落，很美。");
  await groups.amendMembers({ groupId, roles: [{ userId: bob.userId, role: "moderator" }] });
  await say(carol, groupId, "The lake, at seven? This prints the picture in the kitchen:");
  await say(carol, groupId, "```sh\ntelex picture print lake.jpg --device kitchen-1 --width 42 --style shades\n```");
  await say(
    bob,
    groupId,
    "Seven is good. The last bus back is at 21:40, see https://bus.example.org/lines/7 and `line 7`.",
  );
  const history = await alice.client.messages.history({ groupId, groupType: 1, pageSize: 1 });
  const [last] = history.groupMessages;
  const { messages } = createAccountClient({ url: server.url, token: carol.token });
  if (last !== undefined) await messages.react({ groupId, messageId: last.messageId, emoji: "🎉" });
  return { alice, boss: await furnishAdmin(server), groupId };
}

/** An admin, with a user who is suspended. */
async function furnishAdmin(server: TestServer): Promise<Somebody> {
  const { users, tokens } = server.telex.operator;
  const { userId } = await addPerson(server, "boss", "boss");
  const { id } = await users.add(operator, { nickname: "Otto Ohnegleichen-Langername von und zu Oberammergau" });
  await users.amend(operator, { id, state: "suspended" });
  const { token } = await tokens.issue(operator, { userId, scopes: ["chat", "admin"] });
  return { userId, token, client: createClient({ url: server.url, token }) };
}

/** A page or a state of it, by its address, and what is done there. */
interface Shot {
  readonly path: string;
  readonly act?: (page: Page) => Promise<void>;
}

const shots: Readonly<Record<string, (groupId: number) => Shot>> = {
  rooms: () => ({ path: "rooms/" }),
  room: (groupId) => ({
    path: `rooms/${groupId}`,
    act: (page) => page.locator(".said > li").nth(4).waitFor(),
  }),
  actions: (groupId) => ({
    path: `rooms/${groupId}`,
    async act(page) {
      const last = page.locator(".message").last();
      await last.waitFor();
      await last.hover();
      await last.dispatchEvent("pointerdown", { pointerType: page.viewportSize()?.width === 390 ? "touch" : "mouse" });
      if (page.viewportSize()?.width === 390) await page.locator(".sheet-up").waitFor();
    },
  }),
  palette: () => ({
    path: "rooms/",
    async act(page) {
      await page.locator(".talks a").first().waitFor();
      await page.keyboard.press("Control+k");
      await page.locator(".found li").nth(3).waitFor();
    },
  }),
  "new-room": () => ({
    path: "rooms/#new",
    async act(page) {
      await page.locator(".picks li").nth(1).waitFor();
      await page.locator(".picks label").nth(1).click();
    },
  }),
  "new-chat": () => ({ path: "rooms/#chat", act: (page) => page.locator(".picks li").nth(1).waitFor() }),
  side: (groupId) => ({
    path: `rooms/${groupId}`,
    async act(page) {
      await page
        .locator(".people li")
        .nth(1)
        .waitFor({ state: "attached" })
        .catch(() => {});
      if ((await page.locator(".side").count()) === 0) await page.locator("[aria-controls=side]").click();
      await page.locator(".people button").first().click();
      await page.locator("dialog select").waitFor();
    },
  }),
  device: () => ({ path: "teleprinter/device/kitchen-1", act: (page) => page.locator(".later").waitFor() }),
  "send-options": () => ({
    path: "teleprinter/device/kitchen-1",
    async act(page) {
      await page.locator(".later").waitFor();
      await page.getByRole("button", { name: "Options" }).click();
      await page.locator(".sending").waitFor();
    },
  }),
  about: () => ({
    path: "teleprinter/device/kitchen-1",
    async act(page) {
      await page.locator(".later").waitFor();
      await page.getByRole("button", { name: /^More about/ }).click();
      await page.getByRole("button", { name: "About this device" }).click();
      await page.locator(".day-chart").waitFor();
    },
  }),
  several: () => ({
    path: "teleprinter/",
    async act(page) {
      await page.getByRole("button", { name: "kitchen", exact: true }).click();
      await page.getByRole("button", { name: /^Write to/ }).click();
      await page.getByLabel("Text", { exact: true }).fill("Dinner is ready.");
    },
  }),
  pair: () => ({
    path: "teleprinter/#pair",
    async act(page) {
      await page.locator("dialog input").fill("BCD0-FGHJ");
      await page.keyboard.press("Enter");
      await page.locator("dialog .error").waitFor();
    },
  }),
  teleprinter: () => ({ path: "teleprinter/" }),
  chat: () => ({ path: "chat/new" }),
  pictures: () => ({ path: "pictures/" }),
  files: () => ({ path: "files/" }),
  account: () => ({ path: "account/" }),
  admin: () => ({
    path: "admin/",
    async act(page) {
      await page.route("**/admin/trends*", drawTrends(now));
      await page.reload();
      await page.locator(".trend").nth(4).waitFor();
    },
  }),
  "admin-users": () => ({ path: "admin/users/", act: (page) => page.locator(".row").nth(3).waitFor() }),
  "admin-user": () => ({ path: "admin/users/1", act: (page) => page.locator(".card").nth(4).waitFor() }),
  "admin-devices": () => ({ path: "admin/devices/", act: (page) => page.locator(".held li").nth(1).waitFor() }),
  "admin-audit": () => ({ path: "admin/audit/", act: (page) => page.locator(".event").nth(5).waitFor() }),
  "admin-import": () => ({
    path: "admin/users/",
    async act(page) {
      await page.getByRole("button", { name: "Import" }).click();
      await page.locator(".import textarea").fill("username,nickname\ndora,Dora\nalice,\na b,\nemil,Emil");
      await page.locator(".import .primary").click();
      await page.locator(".lines").waitFor();
    },
  }),
  "not-found": () => ({ path: "anything" }),
  offline: (groupId) => ({
    path: `rooms/${groupId}`,
    async act(page) {
      await page.locator(".said > li").nth(4).waitFor();
      await page.context().setOffline(true);
      await page.locator(".connection.offline").waitFor();
    },
  }),
};

const isAdmin = (name: string): boolean => name.startsWith("admin");

async function shoot(browser: Browser, server: TestServer, names: readonly string[]): Promise<void> {
  const { alice, boss, groupId } = await furnish(server);
  const of = [
    { person: alice, shown: names.filter((name) => !isAdmin(name)) },
    { person: boss, shown: names.filter(isAdmin) },
  ].filter(({ shown }) => shown.length > 0);
  for (const viewport of sizes)
    for (const { person, shown } of of) await shootAs(browser, server, { person, viewport, groupId, shown });
}

interface Sitting {
  readonly person: Somebody;
  readonly viewport: (typeof sizes)[number];
  readonly groupId: number;
  readonly shown: readonly string[];
}

/** A page on which somebody is signed in, at the time of the pictures. */
async function openFor(browser: Browser, server: TestServer, { person, viewport }: Sitting): Promise<Page> {
  const hasTouch = viewport.width < 768;
  const options = { viewport, locale: "en", timezoneId: "UTC", serviceWorkers: "block", hasTouch } as const;
  const page = await (await browser.newContext(options)).newPage();
  await page.clock.setFixedTime(now);
  await page.goto(`${server.url}/user/token`);
  await page.locator("input[name=token]").fill(person.token);
  await page.locator("button[type=submit]").click();
  await page.locator(".connection.live").waitFor();
  return page;
}

async function shootAs(browser: Browser, server: TestServer, sitting: Sitting): Promise<void> {
  const { viewport, groupId, shown } = sitting;
  const page = await openFor(browser, server, sitting);
  for (const name of shown) {
    const { path, act } = shots[name]?.(groupId) ?? { path: "" };
    await page.goto("about:blank");
    await page.goto(`${server.url}/user/${path}`);
    if (name !== "not-found") await page.locator(".connection.live").waitFor({ state: "attached" });
    await act?.(page);
    await page.waitForLoadState("networkidle");
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await pictures.keep(`${name}-${viewport.width}-${colorScheme}`, await page.screenshot({ caret: "hide" }));
    }
    await page.context().setOffline(false);
  }
  await page.context().close();
}

const wanted = process.argv.slice(2);
const server = await startServer({ accounts: {}, hasUser: false, clock });
const browser = await launch();
try {
  await shoot(browser, server, wanted.length > 0 ? wanted : Object.keys(shots));
  await pictures.writeReport();
} finally {
  await browser.close();
  await server.close();
}
