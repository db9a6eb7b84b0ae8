import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createMemoryBlobs } from "@telex/blobs/memory";
import { type Clock, operator, type Storage } from "@telex/core";
import { createSharpEngine } from "@telex/core/sharp";
import { createManualClock, createScene, ticks, until } from "@telex/core/testing";
import { createHttp, serve } from "@telex/http";
import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it, onTestFinished } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { createOneBotImplementation } from "../src/implementation/index.ts";
import { createOneBot } from "../src/index.ts";
import { createImplementation } from "../src/testing/index.ts";

/** A server of an installation, which takes bots and frameworks. */
async function startServer(storage: Storage, serverName: string, clock?: Clock) {
  const oneBot = createOneBot(clock === undefined ? {} : { clock });
  const implementation = createOneBotImplementation({ baseUrl: "http://127.0.0.1" });
  const plugins = [oneBot.plugin, implementation.plugin];
  const images = createSharpEngine();
  const scene = await createScene({ storage, blobs: createMemoryBlobs(), images, plugins, serverName });
  const { telex } = scene;
  const { url, close } = await serve({ telex, http: createHttp(telex), ws: [oneBot, implementation], port: 0 });
  onTestFinished(() => close(0));
  const bot = async () => (await telex.operator.bots.list(operator, {}))[0];
  return { ...scene, at: `${url.replace("http", "ws")}/onebot/v11/ws`, close, bot };
}

/** Two servers on one storage, which stays open when one of them closes. */
async function startServers(clock?: Clock) {
  const storage = { ...createMemoryStorage(), close: () => Promise.resolve() };
  return [await startServer(storage, "first", clock), await startServer(storage, "second", clock)] as const;
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

it("a bot that connects twice keeps the connection of the first server, and can go to the other one", async () => {
  const [first, second] = await startServers();
  const { token } = await first.telex.operator.bots.add(operator, { account: "bot-1" });
  await until(async () => (await second.bot()) !== undefined);
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
  await until(async () => (await second.bot()) !== undefined);
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

it("of two servers one connects to a framework, and the other one when the first is gone", async () => {
  const [first, second] = await startServers();
  const { url, names, open } = await createWaiting();
  const { id } = await first.person("Bot");
  await first.telex.operator.users.amend(operator, { id, oneBot: { connect: url } });
  await until(() => open.size === 1);
  // The second one knows of the framework, too.
  await until(async () => (await second.telex.oneBots()).length === 1);
  expect(names).toHaveLength(1);
  await first.close(0);
  await until(() => names.length === 2 && open.size === 1);
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
  bot.answers.set("get_version_info", () => ({
    status: "ok",
    retcode: 0,
    data: { app_name: "Sim", app_version: "1" },
  }));
  bot.answers.set("get_group_list", () => ({ status: "ok", retcode: 0, data: [] }));
  await bot.connect(first.at, { token: token ?? "" });
  await until(async () => (await first.bot())?.implementation === "Sim 1" && (await first.bot())?.online === true);
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
  const first = await startServer(createMemoryStorage(), "first", clock);
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
