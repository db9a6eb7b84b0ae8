import { until } from "@telex/conformance/testing";
import { operator } from "@telex/core";
import { expect, it } from "vitest";
import { WebSocket } from "ws";
import { createImplementation } from "../src/testing/index.ts";
import { start } from "./setup.ts";

/** A server without accounts of its own, and a bot that connects with a token. */
async function scene() {
  const here = await start({ accounts: [] });
  const { bots } = here.telex.operator;
  const connect = async (token: string, version: 11 | 12 = 11) => {
    const bot = createImplementation(version);
    const socket = await bot.connect(here.at(`/onebot/v${version}/ws`), { token });
    return { bot, socket };
  };
  const status = (token: string): Promise<number> =>
    new Promise((resolve) => {
      const socket = new WebSocket(here.at(), { headers: { authorization: `Bearer ${token}` } });
      socket.on("unexpected-response", (_request, response) => resolve(response.statusCode ?? 0));
      socket.on("open", () => resolve(101));
      socket.on("error", () => undefined);
    });
  return { ...here, bots, connect, status };
}

it("an account that is added works immediately, with the secret that was made", async () => {
  const { bots, connect, find, say, status } = await scene();
  expect(await status("x")).toBe(403);
  const { token } = await bots.add(operator, { account: "bot-1", minInterval: 0 });
  const { bot } = await connect(token ?? "");
  await until(() => find()?.isOnline === true);
  await say("hello");
  expect(bot.texts()).toEqual(["hello"]);
  expect(await bots.list(operator, {})).toMatchObject([
    { account: "bot-1", stored: true, connected: true, online: true },
  ]);
});

it("a new secret ends the connection of the old one, and another change of another account does not", async () => {
  const { bots, connect, find, status } = await scene();
  await bots.add(operator, { account: "bot-1", secret: "the-old-one" });
  const { socket } = await connect("the-old-one");
  await until(() => find()?.isOnline === true);
  await bots.add(operator, { account: "bot-2", secret: "the-other-one" });
  await bots.amend(operator, { account: "bot-2", minInterval: 0 });
  expect(find()?.isOnline).toBe(true);
  const closed = new Promise((resolve) => socket.on("close", resolve));
  await bots.amend(operator, { account: "bot-1", secret: "the-new-one" });
  await closed;
  expect(find()?.isConnected).toBe(false);
  expect(await status("the-old-one")).toBe(403);
  await connect("the-new-one");
  await until(() => find()?.isOnline === true);
});

it("a new name ends no connection", async () => {
  const { bots, connect, find, say } = await scene();
  await bots.add(operator, { account: "bot-1", secret: "the-secret", minInterval: 0 });
  const { bot, socket } = await connect("the-secret");
  await until(() => find()?.isOnline === true);
  await bots.amend(operator, { account: "bot-1", name: "Tea" });
  expect([find()?.isOnline, socket.readyState]).toEqual([true, WebSocket.OPEN]);
  await say("hello");
  expect(bot.texts()).toEqual(["hello"]);
  expect(await bots.list(operator, {})).toMatchObject([{ account: "bot-1", name: "Tea", online: true }]);
});

it("a removed account is gone", async () => {
  const { bots, connect, find, say, status } = await scene();
  await bots.add(operator, { account: "bot-1", secret: "the-secret" });
  const { socket } = await connect("the-secret");
  await until(() => find()?.isOnline === true);
  const closed = new Promise((resolve) => socket.on("close", resolve));
  await bots.remove(operator, { account: "bot-1" });
  await closed;
  expect([find(), await status("the-secret")]).toEqual([null, 403]);
  await expect(say("hello")).rejects.toMatchObject({ code: "bot_offline" });
});

it("an account without a secret takes connections without one, and an empty Bearer counts as none", async () => {
  const { bots, connect, find, status } = await scene();
  await bots.add(operator, { account: "bot-1", secret: "the-secret" });
  expect(await status("")).toBe(401);
  await bots.amend(operator, { account: "bot-1", secret: null });
  await connect("");
  await until(() => find()?.isOnline === true);
});

it("several accounts have no secret, and a connection without one says by its name which it is for", async () => {
  const { bots, at, find } = await scene();
  await bots.add(operator, { account: "bot-1", secret: null });
  await bots.add(operator, { account: "bot-2", secret: null });
  await bots.add(operator, { account: "bot-3" });
  await bots.amend(operator, { account: "bot-3", secret: null });
  for (const name of ["bot-2", "bot-3"]) {
    await createImplementation(11).connect(at(), { headers: { "x-self-id": name } });
    await until(() => find(name)?.isOnline === true);
  }
  expect(find("bot-1")?.isConnected).toBe(false);
});

it("the name of an account of the program is taken", async () => {
  const { telex } = await start();
  const adding = telex.operator.bots.add(operator, { account: "bot-1" });
  await expect(adding).rejects.toMatchObject({ code: "invalid_request" });
});
