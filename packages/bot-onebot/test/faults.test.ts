import { once } from "node:events";
import { connect } from "node:net";
import { definePlugin, type ObservedFault } from "@telex/core";
import { until } from "@telex/conformance/testing";
import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { createImplementation } from "../src/testing/index.ts";
import { account, start } from "./setup.ts";

/** A server that counts the faults of its bots by their cause. */
async function scene(...given: Parameters<typeof start>) {
  const counts: Record<string, number> = {};
  const fault = ({ source, cause }: ObservedFault): void => {
    const key = `${source} ${cause}`;
    counts[key] = (counts[key] ?? 0) + 1;
  };
  const [options, storage] = given;
  const here = await start(options, storage, [definePlugin({ name: "counting", observer: { fault } })]);
  const causes = (): string[] =>
    here.log.lines.flatMap((line) => (line.includes("onebot.fault") ? (/"code":"(\w+)"/.exec(line)?.[1] ?? []) : []));
  const open = async (headers: Record<string, string> = { authorization: "Bearer secret" }): Promise<WebSocket> => {
    const socket = new WebSocket(here.at(), { headers });
    onTestFinished(() => socket.terminate());
    socket.on("error", () => undefined);
    await Promise.race([once(socket, "open"), once(socket, "unexpected-response")]);
    return socket;
  };
  return { ...here, counts, causes, open };
}

it("each refused connection is counted, and logged once for its cause", async () => {
  const { counts, causes, open, url } = await scene();
  for (let count = 0; count < 5; count += 1) {
    await open({});
    await open({ authorization: `Bearer wrong-${count}` });
    const { port } = new URL(url);
    const raw = connect(Number(port), "127.0.0.1");
    raw.end("GET /onebot HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n");
    raw.resume();
    await once(raw, "close");
  }
  expect(counts).toEqual({ "onebot missing_token": 5, "onebot wrong_token": 5, "onebot bad_handshake": 5 });
  expect(causes().toSorted()).toEqual(["bad_handshake", "missing_token", "wrong_token"]);
});

it("each wrong frame is counted, and logged once for its cause", async () => {
  const { counts, causes, open, find } = await scene();
  const [socket] = [await open(), await open()];
  await until(() => counts["onebot second_connection"] === 1);
  const said = { post_type: "message", message_type: "group", group_id: 500, user_id: 1001, self_id: 9000, time: 1 };
  const frames = [
    "no JSON",
    JSON.stringify({ ...said, message_id: {}, message: "x" }),
    JSON.stringify({ ...said, group_id: undefined, message_id: 1, message: "x" }),
    JSON.stringify({ ...said, message_id: 2, message: "x".repeat(10_001) }),
    JSON.stringify({
      ...said,
      message_id: 3,
      message: Array.from({ length: 101 }, () => ({ type: "face", data: {} })),
    }),
  ];
  for (const frame of [...frames, ...frames]) socket.send(frame);
  socket.send(Buffer.from("binary"));
  await until(() => counts["onebot broken_frame"] === 1);
  await until(() => find()?.isConnected === false);
  const large = await open();
  large.send("x".repeat(2 ** 24 + 1));
  await until(() => counts["onebot oversized_frame"] === 1);
  expect(counts).toMatchObject({
    "onebot malformed_frame": 2,
    "onebot malformed_event": 4,
    "onebot oversized_message": 4,
  });
  const expected = ["broken_frame", "malformed_event", "malformed_frame", "oversized_frame", "oversized_message"];
  expect(causes().toSorted()).toEqual([...expected, "second_connection"]);
});

it("a storage that rejects with something of its own is logged, and the server goes on", async () => {
  const storage = createMemoryStorage();
  let isBroken = true;
  const messages: typeof storage.messages = {
    ...storage.messages,
    findNetworkMessage: (key) =>
      isBroken ? Promise.reject(new RangeError("a bug of the driver")) : storage.messages.findNetworkMessage(key),
    append: (append) =>
      isBroken ? Promise.reject(new RangeError("a bug of the driver")) : storage.messages.append(append),
  };
  const { at, find, log, say } = await scene({ accounts: [account] }, { ...storage, messages });
  const bot = createImplementation(11);
  await bot.connect(at(), { token: "secret" });
  await until(() => find()?.isOnline === true);
  bot.say("lost");
  bot.tell({
    post_type: "notice",
    notice_type: "group_recall",
    group_id: 500,
    user_id: 1,
    message_id: 4,
    self_id: 9000,
  });
  await until(() => log.lines.some((line) => line.includes("a bug of the driver")));
  isBroken = false;
  await say("still here");
  expect(bot.texts()).toEqual(["still here"]);
});
