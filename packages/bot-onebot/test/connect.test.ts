import { once } from "node:events";
import { createManualClock, ticks, until } from "@telex/conformance/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { OneBotAccount } from "../src/index.ts";
import { createOneBot } from "../src/index.ts";
import { createImplementation } from "../src/testing/index.ts";
import { account, start } from "./setup.ts";

/** The status with which an upgrade is refused; 101 if it is not. */
async function knock(url: string, headers: Record<string, string> = {}, protocols: string[] = []): Promise<number> {
  const socket = new WebSocket(url, protocols, { headers });
  onTestFinished(() => socket.terminate());
  const refused = new Promise<number>((resolve) => {
    socket.once("unexpected-response", (_request, response) => resolve(response.statusCode ?? 0));
  });
  socket.on("error", () => {});
  return Promise.race([refused, once(socket, "open").then(() => 101)]);
}

const closeCode = (socket: WebSocket) => new Promise<number>((resolve) => socket.once("close", resolve));

describe("the token decides the account", () => {
  it.each([
    ["a wrong one is refused", "/onebot/v11/ws", { authorization: "Bearer nobody" }, 403],
    ["a wrong one is refused without a version", "/onebot", { authorization: "Bearer nobody" }, 403],
    ["a wrong one is refused by 12", "/onebot/v12", { authorization: "Bearer nobody" }, 401],
    ["none is refused", "/onebot/v11/", {}, 401],
    ["an empty one is none", "/onebot/v11", { authorization: "Bearer " }, 401],
    [
      "a header without a token counts, whatever the query says",
      "/onebot/v11?access_token=secret",
      { authorization: "Basic x" },
      401,
    ],
    ["a header that is empty counts as none", "/onebot/v11?access_token=secret", { authorization: "Bearer " }, 101],
    ["the right one is taken", "/onebot/v11/ws/", { authorization: "Bearer secret" }, 101],
    ["so it is in the query", "/onebot/v12/ws/?access_token=secret", {}, 101],
    ["so it is as a Token", "/onebot/", { authorization: "Token secret" }, 101],
  ] as const)("%s: %s", async (_, path, headers, status) => {
    const { at } = await start();
    expect(await knock(at(path), { ...headers })).toBe(status);
  });

  it("an account without a token takes a connection without one", async () => {
    const open: OneBotAccount = { account: "open", token: null };
    const { at, find } = await start({ accounts: [account, open] });
    const bot = createImplementation(11);
    await bot.connect(at());
    await until(() => find("open")?.isOnline === true);
    expect(find()?.isConnected).toBe(false);
  });

  it("paths of somebody else are left alone, and what is no handshake is refused", async () => {
    const { at, url } = await start();
    expect(await knock(at("/onebot/v13"), { authorization: "Bearer secret" })).toBe(404);
    expect(await knock(at("/onebotv11"), { authorization: "Bearer secret" })).toBe(404);
    expect((await fetch(`${url}/onebot`)).status).toBe(404);
  });
});

it("two accounts have different names and tokens, and one at most is official", () => {
  const other = { ...account, account: "bot-2" };
  expect(() => createOneBot({ accounts: [account, account] })).toThrow("Two accounts have the name bot-1.");
  expect(() => createOneBot({ accounts: [account, other] })).toThrow("Two accounts have the same token.");
  const official = [
    { ...account, isOfficial: true },
    { ...other, token: "x", isOfficial: true },
  ];
  expect(() => createOneBot({ accounts: official })).toThrow(
    "Only one account can be official: bot-1 and bot-2 both are.",
  );
  // @ts-expect-error -- there is no such option
  expect(() => createOneBot({ accounts: [], bots: [] })).toThrow("bots");
});

it.each([
  ["account", { account: "" }],
  ["token", { token: "" }],
  ["connect", { connect: "ftp://127.0.0.1:1" }],
  ["connect", { connect: "secret-address" }],
  ["minInterval", { minInterval: -1 }],
] as const)("a wrong %s of an account is named, without its value: %j", (field, wrong) => {
  const create = () => createOneBot({ accounts: [{ ...account, ...wrong }] });
  expect(create).toThrow(`createOneBot: accounts.0.${field} is wrong.`);
  expect(create).not.toThrow(/secret/);
});

it("the subprotocol that is offered is spoken, by its first name or a longer one", async () => {
  const { at } = await start();
  for (const protocol of ["12.test", "12"]) {
    const socket = new WebSocket(at("/onebot"), [protocol], { headers: { authorization: "Bearer secret" } });
    onTestFinished(() => socket.terminate());
    await once(socket, "open");
    expect(socket.protocol).toBe(protocol);
    socket.terminate();
  }
});

it.each([11, 12] as const)("the first frame shows version %i where nothing else does", async (version) => {
  const { at, find, say } = await start();
  const bot = createImplementation(version);
  await bot.connect(at("/onebot"), { token: "secret", protocols: [] });
  await until(() => find()?.isOnline === true);
  await say("hello");
  expect(bot.seen.map(({ action }) => action)).toEqual([version === 11 ? "send_group_msg" : "send_message"]);
});

it("OneBot 11 may have one socket for actions and one for events", async () => {
  const { at, find, say } = await start();
  const [actions, events] = [createImplementation(11), createImplementation(11)];
  await actions.connect(at(), { token: "secret", headers: { "x-client-role": "API" } });
  await events.connect(at(), { token: "secret", headers: { "X-Client-Role": "Event" } });
  await until(() => find()?.isOnline === true);
  await say("hello");
  expect([actions.texts(), events.texts()]).toEqual([["hello"], []]);
  events.end();
  await ticks();
  expect(find()).toMatchObject({ isConnected: true });
  actions.end();
  await until(() => find()?.isConnected === false);
});

describe("a second connection of an account", () => {
  async function scene() {
    const clock = createManualClock();
    const here = await start({ clock });
    const first = createImplementation(11);
    const socket = await first.connect(here.at(), { token: "secret" });
    await until(() => here.find()?.isOnline === true);
    return { ...here, clock, first, socket };
  }

  it("is closed while the first one lives", async () => {
    const { at, first, say } = await scene();
    const second = createImplementation(11);
    const socket = await second.connect(at(), { token: "secret" });
    expect(await closeCode(socket)).toBe(4409);
    await say("hello");
    expect([first.texts(), second.texts()]).toEqual([["hello"], []]);
  });

  it("takes the place of one that is dead", async () => {
    const { at, clock, first, socket, say, find } = await scene();
    socket.pause();
    const second = createImplementation(11);
    const opened = await second.connect(at(), { token: "secret" });
    const third = createImplementation(11);
    expect(await closeCode(await third.connect(at(), { token: "secret" }))).toBe(4409);
    await clock.advance(5000);
    await until(() => second.asked.includes("get_status"));
    await until(() => find()?.isOnline === true);
    await say("hello");
    expect([first.texts(), second.texts(), opened.readyState]).toEqual([[], ["hello"], WebSocket.OPEN]);
  });
});

it("a connection on which nothing comes is asked for a sign of life, and cut", async () => {
  const clock = createManualClock();
  const { at, find } = await start({ clock });
  const bot = createImplementation(11);
  const socket = await bot.connect(at(), { token: "secret" });
  await until(() => find()?.isOnline === true);
  const pinged = once(socket, "ping");
  await clock.advance(30_000);
  await pinged;
  await ticks();
  expect(find()?.isConnected).toBe(true);
  socket.pause();
  await clock.advance(30_000);
  await ticks();
  await clock.advance(10_000);
  await until(() => find()?.isConnected === false);
});

it("the account is offline while its heartbeats say so, and online when it is told something", async () => {
  const { at, find, say } = await start();
  const bot = createImplementation(11);
  await bot.connect(at(), { token: "secret" });
  await until(() => find()?.isOnline === true);
  bot.behave("offline");
  await until(() => find()?.isOnline === false);
  await expect(say("hello")).rejects.toMatchObject({ code: "bot_offline" });
  bot.say("back");
  await until(() => find()?.isOnline === true);
  bot.tell({ post_type: "notice", notice_type: "bot_offline", user_id: 9000, self_id: 9000, time: 1 });
  await until(() => find()?.isOnline === false);
  expect(bot.texts()).toEqual([]);
});
