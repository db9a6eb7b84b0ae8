import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { type Clock, createLocalBus, operator } from "@telex/core";
import { createManualClock, ticks, until } from "@telex/conformance/testing";
import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it, onTestFinished } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { z } from "zod";
import { createOneBotImplementation } from "../src/implementation/index.ts";
import { createOneBot } from "../src/index.ts";
import { createImplementation } from "../src/testing/index.ts";
import { framework } from "./implementation/setup.ts";
import { serveScene } from "./setup.ts";

type Shared = Pick<NonNullable<Parameters<typeof serveScene>[1]>, "storage" | "bus" | "blobs">;

/** A server of an installation, which takes bots and frameworks. */
async function startServer(serverName: string, shared: Shared, clock?: Clock) {
  const oneBot = createOneBot(clock === undefined ? {} : { clock });
  const implementation = createOneBotImplementation({ baseUrl: "http://127.0.0.1" });
  const plugins = [oneBot.plugin, implementation.plugin];
  const scene = await serveScene([oneBot, implementation], { ...shared, plugins, serverName });
  const { telex, url } = scene;
  const bot = async () => (await telex.operator.bots.list(operator, {}))[0];
  const isOnline = async (): Promise<boolean> => (await bot())?.online === true;
  // The storage has the account before each server has heard of it.
  const serves = (): boolean => oneBot.plugin.gateways?.[0]?.findAccount("bot-1") !== null;
  return { ...scene, serves, at: `${url.replace("http", "ws")}/onebot/v11/ws`, bot, isOnline };
}

type Server = Awaited<ReturnType<typeof startServer>>;

/** A storage that stays open when one of its servers closes. */
const createShared = (): Shared => ({
  storage: { ...createMemoryStorage(), close: () => Promise.resolve() },
  bus: createLocalBus(),
  blobs: createMemoryBlobs(),
});

/** Two servers on one storage. */
async function startServers(clock?: Clock) {
  const shared = createShared();
  return [await startServer("first", shared, clock), await startServer("second", shared, clock)] as const;
}

/** Something that waits for connections, and keeps them. */
async function createWaiting(opened: (socket: WebSocket) => void = () => undefined) {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  onTestFinished(() => {
    server.close();
  });
  const names: string[] = [];
  const open = new Set<WebSocket>();
  server.on("connection", (socket) => {
    names.push(`connection ${names.length + 1}`);
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    opened(socket);
  });
  await once(server, "listening");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port has such an address
  const { port } = server.address() as AddressInfo;
  return { url: `ws://127.0.0.1:${port}/`, names, open };
}

const closeOf = (socket: WebSocket) => new Promise<number>((resolve) => socket.once("close", resolve));

it("of two servers one connects to a bot that waits, and the other one when the first is gone", async () => {
  const [first, second] = await startServers();
  const { url, names, open } = await createWaiting((socket) => createImplementation(11).adopt(socket));
  await first.telex.operator.bots.add(operator, { account: "bot-1", connect: url, secret: "secret-of-the-bot" });
  await until(async () => (await second.bot())?.online === true);
  expect([names.length, open.size]).toEqual([1, 1]);
  const before = await second.bot();
  expect(before).toMatchObject({ version: "11", ext: "9000", problem: null });
  const holder = before?.server === "first" ? first : second;
  const other = holder === first ? second : first;
  await holder.close(0);
  await until(async () => (await other.bot())?.server !== before?.server && (await other.bot())?.online === true);
  expect([names.length, open.size]).toEqual([2, 1]);
});

it("a server that drains gives its bots and frameworks to another one, and what it still accepts goes out there", async () => {
  const [first, second] = await startServers();
  const waiting = await createWaiting((socket) => createImplementation(11).adopt(socket));
  await first.telex.operator.bots.add(operator, {
    account: "dialed",
    connect: waiting.url,
    secret: "secret-of-the-bot",
  });
  const { token } = await first.telex.operator.bots.add(operator, { account: "bot-1", minInterval: 0 });
  const { say, history, isReady } = await createRoom(first);
  await until(() => second.serves());
  const secret = { token: token ?? "" };
  const before = createImplementation(11);
  const gone = closeOf(await before.connect(first.at, secret));
  await until(() => isReady(first));
  await say(first, "before");
  expect(await second.telex.operator.server.drain(operator, { server: "first", seconds: 0 })).toEqual({
    server: "first",
  });
  expect(await gone).toBe(1012);
  expect(await closeOf(await createImplementation(11).connect(first.at, secret))).toBe(4409);
  const after = createImplementation(11);
  await after.connect(second.at, secret);
  await until(() => isReady(first));
  await say(first, "after");
  expect([before.texts(), after.texts()]).toEqual([["before"], ["after"]]);
  expect(await history(second)).toHaveLength(2);
  await until(async () =>
    (await second.telex.operator.bots.list(operator, {})).every(({ server, online }) => server === "second" && online),
  );
});

it("a server that drains closes the connections of frameworks with 1012, and takes no new ones", async () => {
  const [first] = await startServers();
  const bot = await first.person("Bot");
  await first.telex.operator.users.amend(operator, { id: bot.id, oneBot: {} });
  const url = `${first.url.replace("http", "ws")}/external/api/v1/onebot/v11`;
  const options = { headers: { authorization: `Bearer ${bot.token}` } };
  const socket = new WebSocket(url, options);
  const gone = closeOf(socket);
  await framework(socket).told({ sub_type: "connect" });
  await first.telex.drain(0);
  expect(await gone).toBe(1012);
  const failure = await new Promise<Error>((resolve) => new WebSocket(url, options).once("error", resolve));
  expect(failure.message).toContain("503");
});

it("a bot that connects twice keeps the connection of the first server, and can go to the other one", async () => {
  const [first, second] = await startServers();
  const { token } = await first.telex.operator.bots.add(operator, { account: "bot-1" });
  await until(() => second.serves());
  const bot = createImplementation(11);
  await bot.connect(first.at, { token: token ?? "" });
  await until(async () => (await second.bot())?.online === true);
  expect(await second.bot()).toMatchObject({ server: "first", connected: true });
  const again = createImplementation(11);
  expect(await closeOf(await again.connect(second.at, { token: token ?? "" }))).toBe(4409);
  expect(second.log.lines.join("\n")).toContain("although another server has one");
  bot.end();
  await until(async () => (await second.bot())?.server === null);
  expect(await second.bot()).toMatchObject({ online: false, problem: { code: "not_connected" } });
  await createImplementation(11).connect(second.at, { token: token ?? "" });
  await until(async () => (await first.bot())?.server === "second");
});

it("a bot that takes the place of its dead connection still has the account for its server", async () => {
  const clock = createManualClock();
  const [first, second] = await startServers(clock);
  const { token } = await first.telex.operator.bots.add(operator, { account: "bot-1" });
  await until(() => second.serves());
  const secret = { token: token ?? "" };
  const dead = await createImplementation(11).connect(first.at, secret);
  await until(async () => (await second.bot())?.online === true);
  dead.pause();
  const bot = createImplementation(11);
  await bot.connect(first.at, secret);
  await until(() => clock.waiting().includes(5000));
  await clock.advance(5000);
  await until(() => bot.asked.includes("get_status"));
  expect(await closeOf(await createImplementation(11).connect(second.at, secret))).toBe(4409);
  expect(await second.bot()).toMatchObject({ server: "first", connected: true });
  bot.end();
  await until(async () => (await second.bot())?.server === null);
});

it("a bot whose server has a dead connection of it is taken by another server after 5 s", async () => {
  const clock = createManualClock();
  const [first, second] = await startServers(clock);
  const { token } = await first.telex.operator.bots.add(operator, { account: "bot-1" });
  await until(() => second.serves());
  const secret = { token: token ?? "" };
  const dead = await createImplementation(11).connect(first.at, secret);
  await until(() => second.isOnline());
  dead.pause();
  await createImplementation(11).connect(second.at, secret);
  await until(() => clock.waiting().includes(5000));
  await clock.advance(5000);
  await until(async () => (await first.bot())?.server === "second" && (await first.isOnline()));
  expect(dead.readyState).not.toBe(dead.CLOSED);
});

/** A room of a bot, and what its member says there on a server. */
async function createRoom(first: Server) {
  const alice = await first.person("Alice");
  const groupId = await first.room([alice], { groupType: 4, ext: "500", bot: "bot-1" });
  const place = { groupId, groupType: 4 } as const;
  return {
    say: async ({ telex, caller }: Server, message: string) =>
      telex.messages.send(await caller(alice), { ...place, message }),
    /** True if the server knows that messages can be sent. */
    isReady: async ({ telex, caller }: Server) =>
      (await telex.rooms.find(await caller(alice), place)).bot?.online === true,
    history: async ({ telex, caller }: Server) =>
      (await telex.messages.history(await caller(alice), place)).groupMessages,
  };
}

it("what is said on any server reaches the bot, and what the bot hears reaches any server", async () => {
  const [first, second] = await startServers();
  const { token } = await first.telex.operator.bots.add(operator, { account: "bot-1", minInterval: 0 });
  const { say, history, isReady } = await createRoom(first);
  await until(() => second.serves());
  const [actions, events] = [createImplementation(11), createImplementation(11, { lastId: 500 })];
  await actions.connect(first.at, { token: token ?? "", headers: { "x-client-role": "API" } });
  await until(() => second.isOnline());
  // A load balancer may give the two connections of one bot to two servers.
  await events.connect(second.at, { token: token ?? "", headers: { "x-client-role": "Event" } });
  await until(() => isReady(second));
  await Promise.all([say(first, "on the first"), say(second, "on the second")]);
  expect(actions.texts().toSorted()).toEqual(["on the first", "on the second"]);
  expect(events.texts()).toEqual([]);
  events.say("heard");
  await until(async () => (await history(first)).length === 3);
  expect(await first.bot()).toMatchObject({ server: "first", online: true });
});

it("of the servers that reach a bot over HTTP one sends and asks for what was missed, and then another one", async () => {
  const [first, second] = await startServers();
  const bot = createImplementation(11);
  onTestFinished(() => bot.end());
  bot.answers.set("get_group_msg_history", () => ({ status: "ok", retcode: 0, data: { messages: [] } }));
  const connect = await bot.listen({ token: "secret-of-the-bot", events: `${first.url}/onebot/v11/webhook/bot-1` });
  const { say, isReady } = await createRoom(first);
  const asked = () => bot.asked.filter((action) => action === "get_group_msg_history").length;
  const added = { account: "bot-1", connect, secret: "secret-of-the-bot", minInterval: 0 };
  await first.telex.operator.bots.add(operator, added);
  await until(async () => (await second.isOnline()) && asked() > 0);
  const [one, other] = (await second.bot())?.server === "first" ? [first, second] : [second, first];
  // Both have asked for the state, so both are online.
  await until(() => bot.asked.filter((action) => action === "get_version_info").length === 2);
  await until(() => isReady(other));
  await Promise.all([say(one, "a"), say(other, "b")]);
  expect(bot.texts().toSorted()).toEqual(["a", "b"]);
  expect(asked()).toBe(1);
  await one.close(0);
  await until(() => asked() === 2);
  await until(() => isReady(other));
  await say(other, "c");
  expect(bot.texts()).toHaveLength(3);
});

it("of two servers one connects to a framework, and the other one when the first is gone", async () => {
  const shared = createShared();
  const first = await startServer("first", shared);
  const { url, names, open } = await createWaiting();
  const { id } = await first.person("Bot");
  await first.telex.operator.users.amend(operator, { id, oneBot: { connect: url } });
  await until(() => open.size === 1);
  const second = await startServer("second", shared);
  // It knows of the framework, too.
  await until(async () => (await second.telex.oneBots()).length === 1);
  expect(names).toHaveLength(1);
  await first.close(0);
  await until(() => names.length === 2 && open.size === 1);
});

it("a framework finds its uploads on every server, under the names that it gave them", async () => {
  const [first, second] = await startServers();
  const bot = await first.person("Bot");
  await first.telex.operator.users.amend(operator, { id: bot.id, oneBot: {} });
  const groupId = await first.room([bot]);
  const ask = async ({ url }: Server, action: string, params: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${bot.token}`, "content-type": "application/json" };
    const body = JSON.stringify({ action, params });
    return (await fetch(`${url}/external/api/v1/onebot/v12`, { method: "POST", headers, body })).json();
  };
  const upload = { type: "data", name: "茶.txt", data: Buffer.from("tea").toString("base64") };
  const { data } = z.object({ data: z.object({ file_id: z.string() }) }).parse(await ask(first, "upload_file", upload));
  expect(await ask(second, "get_file", { ...data, type: "data" })).toMatchObject({
    data: { name: "茶.txt", data: upload.data },
  });
  const message = [{ type: "file", data }];
  const place = { detail_type: "group", group_id: String(groupId) };
  expect(await ask(second, "send_message", { ...place, message })).toMatchObject({ status: "ok" });
  const history = await first.telex.messages.history(await first.caller(bot), { groupId, groupType: 1 });
  expect(history.groupMessages[0]?.content).toMatch(/\/茶\.txt"/);
});

it("an account that cannot be reached says why, and is tried when asked", async () => {
  const [first] = await startServers();
  const { bots } = first.telex.operator;
  await bots.add(operator, {
    account: "bot-1",
    connect: "ws://127.0.0.1:1/?access_token=hidden",
    secret: "the-secret",
  });
  await until(async () => typeof (await first.bot())?.problem?.code === "string");
  const text = "Telex cannot connect to ws://127.0.0.1:1/: ECONNREFUSED.";
  expect(await first.bot()).toMatchObject({ online: false, problem: { code: "connect_failed", text } });
  expect(await bots.test(operator, { account: "bot-1" })).toMatchObject({
    ok: false,
    checks: [{ name: "connection", ok: false, detail: text }],
  });
  expect(JSON.stringify([(await first.bot())?.problem, first.log.lines])).not.toMatch(/hidden|the-secret/);
});

it("a test finds a bot that works, and one that is signed out", async () => {
  const [first] = await startServers();
  const { bots } = first.telex.operator;
  const { token } = await bots.add(operator, { account: "bot-1" });
  await until(async () => (await first.bot()) !== undefined);
  const tested = async () => {
    const { ok, checks } = await bots.test(operator, { account: "bot-1" });
    return [ok, ...checks.map(({ name, ok: isGood }) => `${name} ${isGood}`)];
  };
  expect((await bots.test(operator, { account: "bot-1" })).checks[0]?.detail).toContain(
    "No bot has connected to /onebot",
  );
  const bot = createImplementation(11);
  await bot.connect(first.at, { token: token ?? "" });
  await until(
    async () => (await first.bot())?.implementation === "Simulated 1" && (await first.bot())?.online === true,
  );
  expect(await tested()).toEqual([
    true,
    "connection true",
    "version true",
    "identity true",
    "account true",
    "actions true",
  ]);
  bot.behave("offline");
  await until(async () => (await first.bot())?.online === false);
  expect(await tested()).toContain("account false");
  expect(await first.bot()).toMatchObject({ connected: true, problem: { code: "signed_out" } });
});

it("who accepts a connection and closes it is asked ever more rarely", async () => {
  const clock = createManualClock();
  const first = await startServer("first", {}, clock);
  const closed: number[] = [];
  const { url, names } = await createWaiting((socket) => {
    socket.on("close", (code) => closed.push(code));
    socket.close(4401);
  });
  await first.telex.operator.bots.add(operator, { account: "bot-1", connect: url });
  const pass = async (wait: number, connections: number): Promise<void> => {
    await until(() => closed.length === connections && clock.waiting().some((left) => left === wait));
    await clock.advance(wait - 1);
    await ticks();
    expect(names).toHaveLength(connections);
    await clock.advance(1);
    await until(() => names.length === connections + 1);
  };
  for (const [index, wait] of [1000, 2000, 4000].entries()) await pass(wait, index + 1);
});

it("a framework that connects to another server is told nothing that the one before may have done", async () => {
  const [first, second] = await startServers();
  const [alice, bot] = [await first.person("Alice"), await first.person("Bot")];
  const groupId = await first.room([alice, bot], { groupType: 1 });
  await first.telex.operator.users.amend(operator, { id: bot.id, oneBot: {} });
  const say = async ({ telex, caller }: Server, message: string) =>
    telex.messages.send(await caller(alice), { groupId, groupType: 1, message });
  await say(second, "the last that this server knows");
  await say(first, "done by the framework before");
  const address = `${second.url.replace("http", "ws")}/external/api/v1/onebot/v11`;
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${bot.token}` } });
  onTestFinished(() => socket.terminate());
  const { frames, told } = framework(socket);
  await told({ meta_event_type: "lifecycle" });
  await say(first, "one");
  await say(second, "two");
  await told({ raw_message: "two" });
  const texts = frames.flatMap((frame) => frame["raw_message"] ?? []);
  expect([frames[0]?.["meta_event_type"], texts]).toEqual(["lifecycle", ["one", "two"]]);
});
