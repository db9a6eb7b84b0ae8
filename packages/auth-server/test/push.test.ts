import { operator } from "@telex/core";
import type { Storage } from "@telex/core/storage";
import { createManualClock, ticks, until } from "@telex/conformance/testing";
import { createMemoryStorage } from "@telex/storage-memory";
import { importJWK, jwtVerify } from "jose";
import { expect, it, onTestFinished } from "vitest";
import { newAccount } from "../src/accounts/new-account.ts";
import { field, type Member } from "./groups-scene.ts";
import { PushBrowser, pushScene } from "./push-scene.ts";
import { start } from "./server.ts";

const window = 10_000;

async function openSocket(by: Member, url: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/external/api/v1/im/imWebSocket?more=1`, {
    headers: { cookie: by.browser.cookie, origin: url },
  });
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  onTestFinished(() => socket.close());
  return socket;
}

/** A point on P-256 as a key of the Web Crypto API. */
function jwkOf(point: string) {
  const bytes = Buffer.from(point, "base64url");
  const [x, y] = [bytes.subarray(1, 33).toString("base64url"), bytes.subarray(33).toString("base64url")];
  return { kty: "EC", crv: "P-256", x, y };
}

/** Adds people with a subscription each, whose session has ended. */
async function addSubscribers(storage: Storage, count: number, offline: number | null): Promise<number[]> {
  const ids: number[] = [];
  for (let number = 0; number < count; number += 1) {
    const way = { passwordHash: null, passkeys: [], role: null };
    const made = await storage.accounts.createAccount(newAccount({ username: `reader${number}` }, Date.now(), way));
    const userId = made.outcome === "created" ? made.account.userId : 0;
    const data = {
      sessionId: "",
      endpoint: "https://push.example",
      p256dh: "",
      auth: "",
      text: false,
      texts: false,
      offline,
    };
    const link = { linkId: `reader ${number}`, digest: `reader ${number}`, kind: "push", makerId: userId } as const;
    const life = { uses: 1, createdAt: Date.now(), until: Date.now() + 1e9 };
    await storage.accounts.issueLink({ ...link, slot: null, data: JSON.stringify(data), ...life }, 1);
    ids.push(userId);
  }
  return ids;
}

it("encrypts what the person may see, and signs for the push service", async () => {
  const { bob, alice, url, clock, service, groupId, subscribe, say, pushes } = await pushScene();
  const { answer, path } = await subscribe(bob);
  expect(answer.status).toBe(200);
  const messageId = await say(alice, "a secret text");
  expect(await pushes(1)).toEqual([
    { path, groupId, groupType: 1, messageId, count: 1, title: "Tea", url: `/user/rooms/${groupId}/${messageId}` },
  ]);
  const headers = service.pushed[0]?.headers ?? {};
  expect(headers).toMatchObject({ ttl: "86400", "content-encoding": "aes128gcm" });
  const [, token = "", key = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization ?? "") ?? [];
  expect(key).toBe(field(await bob.browser.get("/push/key"), "publicKey"));
  const verified = await jwtVerify(token, await importJWK(jwkOf(key), "ES256"), { currentDate: new Date(clock.now()) });
  expect(verified.payload).toMatchObject({ aud: service.url, sub: url });
  expect((verified.payload.exp ?? 0) * 1000 - clock.now()).toBeLessThanOrEqual(24 * 3_600_000);
});

it("carries a text that is allowed, cut to 3,000 bytes", async () => {
  const { bob, alice, service, subscribe, say, pushes, keys } = await pushScene();
  const { path } = await subscribe(bob, { text: true });
  const text = `"${"\u{1f600}\n".repeat(3000)}`;
  await say(alice, text);
  const [pushed] = await pushes(1);
  expect(pushed?.body?.startsWith('alice: "\u{1f600}\n\u{1f600}')).toBe(true);
  expect(pushed?.body?.endsWith("…")).toBe(true);
  const content = keys.get(path)?.decrypt(service.pushed[0]?.body ?? Buffer.alloc(0)) ?? "";
  expect(Buffer.byteLength(content)).toBeLessThanOrEqual(3000);
  expect(Buffer.byteLength(content)).toBeGreaterThan(2900);
});

it("sends the first message at once, and collects those of the next ten seconds", async () => {
  const { bob, alice, clock, groupId, service, subscribe, say, pushes } = await pushScene();
  await subscribe(bob, { text: true });
  await say(alice, "1");
  await pushes(1);
  for (const text of ["2", "3", "4"]) await say(alice, text);
  await ticks(50);
  await clock.advance(window - 1);
  expect(await pushes(1)).toMatchObject([{ body: "alice: 1" }]);
  await clock.advance(1);
  expect(await pushes(2)).toMatchObject([{ count: 1 }, { count: 3, body: "alice: 4" }]);
  const last = await say(alice, "5");
  await ticks(50);
  await bob.browser.post(`/im/groups/${groupId}/read`, { messageId: last });
  await clock.advance(window);
  await say(alice, "6");
  while (service.pushed.length < 3) await clock.advance(1000);
  expect(await pushes(3)).toMatchObject([{}, {}, { count: 1, body: "alice: 6" }]);
});

it("respects levels, mutes and blocks, and says nothing of one's own messages, notices, edits and reactions", async () => {
  const { bob, alice, groupId, create, subscribe, say, pushes, clock, settled } = await pushScene();
  const other = await create(alice, [bob]);
  await subscribe(bob, { text: true });
  const expected: string[] = [];
  /** The texts that reached Bob, after a message to another room that does reach him. */
  const heard = async () => {
    await settled();
    await clock.advance(window);
    expected.push("alice: end");
    await say(alice, "end", other);
    return (await pushes(expected.length)).map(({ body }) => body);
  };
  const notify = async (level: string, mutedUntil = 0) =>
    await bob.browser.post(`/im/groups/${groupId}/notify`, { level, mutedUntil });
  await say(bob, "my own");
  await notify("none");
  await say(alice, "@bob to nobody");
  await notify("mentions");
  await say(alice, "no mention");
  expect(await heard()).toEqual(expected);
  await say(alice, "@bob come");
  expected.push("alice: @bob come");
  await pushes(expected.length);
  expect(await heard()).toEqual(expected);
  await notify("all", clock.now() + 3_600_000);
  await say(alice, "muted");
  await notify("all");
  const id = await say(bob, "edit me");
  const message = [{ type: "text", data: { text: "edited" } }];
  await bob.browser.post("/im/edit", { groupId, messageId: id, message });
  await alice.browser.post("/im/react", { groupId, messageId: id, emoji: "👍" });
  await alice.browser.patch(`/im/groups/${groupId}`, { name: "Coffee" });
  await bob.browser.patch("/account", { notify: "none" });
  await notify("default");
  await say(alice, "not by default");
  await bob.browser.patch("/account", { notify: "all" });
  expect(await heard()).toEqual(expected);
  await bob.browser.post("/im/blocks", { userId: alice.id });
  await say(alice, "@bob again");
  await bob.browser.delete(`/im/blocks/${alice.id}`);
  expect(await heard()).toEqual(expected);
});

it("says nothing of what was collected for who has left, is suspended or signed out by then", async () => {
  const { telex, alice, bob, carol, groupId, clock, create, subscribe, say, pushes, settled } = await pushScene();
  const room = await create(alice, [bob, carol]);
  await subscribe(bob);
  await subscribe(carol);
  const collect = async (to: number) => {
    await say(alice, "first", to);
    await say(alice, "collected", to);
    await settled();
  };
  await collect(groupId);
  await bob.browser.post(`/im/groups/${groupId}/leave`);
  await clock.advance(window);
  expect(await pushes(1)).toHaveLength(1);
  await collect(room);
  expect(await pushes(3)).toHaveLength(3);
  await bob.browser.post("/account/signOut");
  await telex.operator.users.amend(operator, { id: carol.id, state: "suspended" });
  await clock.advance(window);
  await settled();
  expect(await pushes(3)).toHaveLength(3);
});

it("ends with an endpoint that is gone, and with the subscription", async () => {
  const { alice, bob, service, clock, subscribe, say, pushes, settled } = await pushScene();
  const { path } = await subscribe(bob);
  const { answer } = await subscribe(bob);
  service.late.answer = ({ url }, response) => void response.writeHead(url === path ? 410 : 201).end();
  await say(alice, "1");
  await pushes(2);
  await clock.advance(window);
  await say(alice, "2");
  expect((await pushes(3)).filter((pushed) => pushed.path === path)).toHaveLength(1);
  const id = String(field(answer, "id"));
  expect((await alice.browser.delete(`/push/subscriptions/${id}`)).status).toBe(404);
  expect((await bob.browser.delete(`/push/subscriptions/${id}`)).status).toBe(200);
  await clock.advance(window);
  await say(alice, "3");
  await settled();
  expect(service.pushed).toHaveLength(3);
});

it("leaves out a browser that is in use, until it is closed or still for 30 seconds", async () => {
  const { alice, bob, url, clock, subscribe, say, pushes, settled } = await pushScene();
  await subscribe(bob, { text: true });
  const socket = await openSocket(bob, url);
  await ticks();
  await say(alice, "in use");
  await settled();
  await clock.advance(29_999);
  await say(alice, "still in use");
  await settled();
  await clock.advance(window);
  await say(alice, "still");
  expect((await pushes(1)).map(({ body }) => body)).toEqual(["alice: still"]);
  socket.send(JSON.stringify({ command: "typing", identifier: 1, groupId: 1 }));
  await new Promise((resolve) => socket.addEventListener("message", resolve));
  await clock.advance(window);
  await say(alice, "in use again");
  await settled();
  socket.close();
  await new Promise((resolve) => socket.addEventListener("close", resolve));
  await ticks(50);
  await clock.advance(window);
  await say(alice, "closed");
  expect((await pushes(2)).map(({ body }) => body)).toEqual(["alice: still", "alice: closed"]);
});

it("sends one notification, whichever of two servers stores the messages, with one key pair", async () => {
  const { alice, bob, service, storage, clock, groupId, subscribe, say, pushes } = await pushScene();
  await subscribe(bob, { text: true });
  const second = await start({ pushAllow: [service.host] }, { beside: { clock, storage } });
  const there = second.browser();
  await there.post("/account/signIn", { username: "alice", password: alice.password });
  const keyAt = async (browser: Member["browser"]) => field(await browser.get("/push/key"), "publicKey");
  const [one, other] = await Promise.all([keyAt(bob.browser), keyAt(there)]);
  expect(one).toBe(other);
  const sayThere = async (text: string) => {
    const message = [{ type: "text", data: { text } }];
    expect((await there.post("/im/sendGroupMessage", { groupId, groupType: 1, message })).status).toBe(200);
  };
  await Promise.all([say(alice, "1"), sayThere("2"), say(alice, "3"), sayThere("4")]);
  expect(await pushes(1)).toHaveLength(1);
  const begin = clock.now();
  const told = async () => (await pushes(1)).reduce((sum, { count }) => sum + count, 0);
  while ((await told()) < 4) await clock.advance(1000);
  expect(await told()).toBe(4);
  const windows = Math.ceil((clock.now() - begin) / window);
  expect(service.pushed.length).toBeLessThanOrEqual(1 + windows);
});

it("tells who was removed of nothing more, whichever of three servers stores the message", async () => {
  const { alice, bob, service, storage, clock, groupId, create, subscribe, pushes } = await pushScene();
  const other = await create(alice, [bob]);
  await subscribe(bob, { text: true });
  const there: Member["browser"][] = [alice.browser];
  for (let server = 2; server <= 3; server += 1) {
    const browser = (await start({ pushAllow: [service.host] }, { beside: { clock, storage } })).browser();
    await browser.post("/account/signIn", { username: "alice", password: alice.password });
    there.push(browser);
  }
  const sayOnAll = async (room: number, text: string) => {
    for (const browser of there) {
      const message = [{ type: "text", data: { text } }];
      await browser.post("/im/sendGroupMessage", { groupId: room, groupType: 1, message });
    }
  };
  await sayOnAll(groupId, "before");
  const told = async () => (await pushes(1)).reduce((sum, { count }) => sum + count, 0);
  while ((await told()) < 3) await clock.advance(1000);
  await alice.browser.post(`/im/groups/${groupId}/members`, { remove: [bob.id] });
  await sayOnAll(groupId, "after");
  await sayOnAll(other, "elsewhere");
  while ((await told()) < 6) await clock.advance(1000);
  await clock.advance(window);
  const bodies = (await pushes(1)).map(({ body }) => body);
  expect(new Set(bodies)).toEqual(new Set(["alice: before", "alice: elsewhere"]));
});

it("refuses a 21st subscription, keys that are none, other addresses and tokens", async () => {
  const { alice, bob, telex, url, subscribe, service } = await pushScene();
  const { path } = await subscribe(bob);
  for (let number = 2; number <= 20; number += 1) expect((await subscribe(bob)).answer.status).toBe(200);
  expect((await subscribe(bob)).answer.error).toBe("limit_reached");
  const { keys } = new PushBrowser();
  const again = { endpoint: service.url + path, keys };
  expect((await bob.browser.post("/push/subscriptions", again)).status).toBe(200);
  const point = Buffer.from(keys.p256dh, "base64url");
  point[40] = (point[40] ?? 0) ^ 1;
  const bad = [
    { ...again, keys: { ...keys, p256dh: point.toString("base64url") } },
    { ...again, keys: { ...keys, auth: "short" } },
    { ...again, endpoint: "http://push.example/1" },
    { ...again, endpoint: "https://user:password@push.example/1" },
    { ...again, endpoint: "file:///etc/passwd" },
    { ...again, devices: { offline: 0 } },
  ];
  for (const body of bad) expect((await alice.browser.post("/push/subscriptions", body)).status).toBe(400);
  const { token } = await telex.operator.tokens.issue(operator, { userId: alice.id, scopes: ["chat"] });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await fetch(`${url}/external/api/v1/push/subscriptions`, {
    method: "POST",
    headers,
    body: JSON.stringify(again),
  });
  expect(answer.status).toBe(403);
});

it("is delayed by no push service that is silent, redirects, or is inside the network", async () => {
  const { alice, bob, carol, log, service, clock, create, subscribe, say, pushes, settled } = await pushScene();
  const room = await create(alice, [bob, carol]);
  const silent = await subscribe(bob);
  const redirecting = await subscribe(bob);
  const { keys } = new PushBrowser();
  const inside = "https://10.11.12.13/secret-endpoint";
  expect((await bob.browser.post("/push/subscriptions", { endpoint: inside, keys })).status).toBe(200);
  await subscribe(carol);
  service.late.answer = ({ url }, response) => {
    if (url === silent.path) return;
    response.writeHead(url === redirecting.path ? 307 : 201, { location: `${service.url}/elsewhere` });
    response.end();
  };
  for (let number = 0; number < 3; number += 1) {
    await say(alice, "text", room);
    await until(() => service.pushed.filter(({ path }) => path === "/push/3").length > number);
    await clock.advance(window);
  }
  await settled();
  expect(service.pushed.some(({ path }) => path === "/elsewhere")).toBe(false);
  await until(() => JSON.stringify(log).includes("private_address"));
  expect(JSON.stringify(log)).not.toContain("secret-endpoint");
  expect(JSON.stringify(log)).not.toContain("/push/");
  expect((await pushes(5)).length).toBeGreaterThan(4);
});

it("tries again where the push service asks for it, and gives up after the third attempt", async () => {
  const { alice, bob, service, clock, subscribe, say, pushes, settled } = await pushScene();
  await subscribe(bob);
  service.late.answer = (_request, response) => void response.writeHead(503, { "retry-after": "7" }).end();
  await say(alice, "text");
  await pushes(1);
  await clock.advance(6999);
  expect(await pushes(1)).toHaveLength(1);
  await clock.advance(1);
  await pushes(2);
  await clock.advance(7000);
  await pushes(3);
  await clock.advance(60_000);
  await settled();
  expect(service.pushed).toHaveLength(3);
});

it("tries again for 50 notifications of one person at most, so that others have their turn", async () => {
  const { alice, bob, service, clock, create, subscribe, say, pushes } = await pushScene();
  for (let number = 0; number < 3; number += 1) await subscribe(bob);
  service.late.answer = (_request, response) => void response.writeHead(429, { "retry-after": "60" }).end();
  for (let number = 0; number < 20; number += 1) await say(alice, "text", await create(alice, [bob]));
  await pushes(60);
  await clock.advance(60_000);
  expect(await pushes(110)).toHaveLength(110);
});

/** A scene whose storage counts how often the sessions of people are read: altogether, and most in one tick. */
async function countingScene(offline: number | null) {
  const clock = createManualClock(Date.now());
  const storage = createMemoryStorage({ clock });
  const count = { looks: 0, all: 0, most: 0 };
  const note = (): void => {
    count.most = Math.max(count.most, count.looks);
    count.looks = 0;
  };
  const listSessions: typeof storage.accounts.listSessions = async (...how) => {
    if (count.looks === 0) setImmediate(note);
    count.looks += 1;
    count.all += 1;
    return await storage.accounts.listSessions(...how);
  };
  const accounts = new Proxy(storage.accounts, {
    get: (target, name): unknown => (name === "listSessions" ? listSessions : Reflect.get(target, name)),
  });
  const ids = await addSubscribers(storage, 600, offline);
  const base = await pushScene({}, { beside: { clock, storage: { ...storage, accounts } } });
  return { ...base, count, ids };
}

it("looks at a few hundred members of a large room in one tick, and not at all of them", async () => {
  const { alice, telex, create, say, count, ids } = await countingScene(null);
  const groupId = await create(alice);
  await telex.operator.groups.amendMembers(operator, { groupId, add: ids });
  await say(alice, "text", groupId);
  await until(() => count.all >= ids.length);
  expect(count.most).toBeLessThanOrEqual(300);
});

it("looks at the devices of a few people in one tick", async () => {
  const { clock, count, ids } = await countingScene(1);
  await clock.advance(60_000);
  await until(() => count.all >= ids.length);
  expect(count.most).toBeLessThanOrEqual(100);
});

it("tells of texts of devices and of devices that are offline, if that was chosen", async () => {
  const { alice, bob, telex, clock, subscribe, pushes, settled } = await pushScene();
  await alice.browser.post("/teleprinter/register", { deviceId: "printer", name: "Hall" });
  const { path } = await subscribe(alice, { text: true, devices: { texts: true, offline: 5 } });
  await subscribe(bob, { devices: { texts: true, offline: 5 } });
  await clock.advance(1000);
  const heartbeat = async () => await alice.browser.post("/teleprinter/heartbeat", { deviceId: "printer" });
  await heartbeat();
  await alice.browser.post("/teleprinter/send", { deviceId: "printer", content: "to it" });
  await alice.browser.post("/teleprinter/sync", { deviceId: "printer", content: "from it" });
  const common = { path, deviceId: "printer", count: 1, title: "Hall", url: "/user/teleprinter/device/printer" };
  expect(await pushes(1)).toEqual([{ ...common, event: "text", body: "from it" }]);
  expect(telex.limits.deviceSilence).toBe(90_000);
  const pass = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute += 1) {
      await clock.advance(60_000);
      await settled();
    }
  };
  await pass(6);
  expect(await pushes(1)).toHaveLength(1);
  await pass(4);
  expect((await pushes(2)).slice(1)).toEqual([{ ...common, event: "offline", minutes: 5 }]);
});
