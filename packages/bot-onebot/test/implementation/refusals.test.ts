import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { definePlugin, type ObservedFault, operator } from "@telex/core";
import { createRateLimiter } from "@telex/core/transport";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import { patience } from "../setup.ts";
import { sentOf, start } from "./setup.ts";

/** The status with which an upgrade is refused. */
async function refused(url: string, headers: Record<string, string> = {}): Promise<unknown> {
  const socket = new WebSocket(url, { headers });
  // It is ended before it opens.
  socket.on("error", () => {});
  const [, response] = z
    .tuple([z.unknown(), z.looseObject({ statusCode: z.number() })])
    .parse(await once(socket, "unexpected-response"));
  socket.terminate();
  return response.statusCode;
}

it.each([
  ["English", {}, "There is no chat room with this groupId and groupType."],
  ["the language of the setting", { locale: "zh-CN" }, "没有与该 groupId 和 groupType 对应的聊天室。"],
] as const)("an error of Telex is in %s", async (_language, instance, message) => {
  const { connect } = await start({}, [], instance);
  for (const version of [11, 12] as const) {
    const { ask } = await connect(version);
    const params = { group_id: version === 11 ? 999 : "999" };
    expect(await ask("get_group_info", params)).toMatchObject({ status: "failed", message });
  }
});

describe("a connection of a framework", () => {
  it("needs a token with the scope chat of a user who is reachable", async () => {
    const { at, alice, bot, issue } = await start();
    expect(await refused(`${at}/v11`)).toBe(401);
    expect(await refused(`${at}/v11`, { authorization: "Bearer " })).toBe(401);
    expect(await refused(`${at}/v11`, { authorization: "Bearer wrong" })).toBe(403);
    expect(await refused(`${at}/v12`, { authorization: "Bearer wrong" })).toBe(401);
    expect(await refused(`${at}/v11?access_token=${alice.token}`)).toBe(403);
    expect(await refused(`${at}/v11?access_token=${await issue(bot, ["profile"])}`)).toBe(403);
    expect(await refused(`${at}/v11/nothing?access_token=${bot.token}`)).toBe(404);
  });

  it("ends with its token, and when the user is not reachable any more", async () => {
    const { connect, telex, bot } = await start();
    const first = await connect();
    const closed = once(first.socket, "close");
    await telex.operator.tokens.revoke(operator, { token: String(bot.tokenId) });
    expect((await closed)[0]).toBe(4401);
    const { token } = await telex.operator.tokens.issue(operator, { userId: bot.id, scopes: ["chat"] });
    const second = await connect(12, { token });
    const gone = once(second.socket, "close");
    await telex.operator.users.amend(operator, { id: bot.id, oneBot: null });
    expect((await gone)[0]).toBe(4403);
  });

  it("ends when the user is suspended, and comes again when the user is resumed", async () => {
    const { connect, telex, bot, at } = await start();
    const first = await connect();
    const closed = once(first.socket, "close");
    await telex.operator.users.amend(operator, { id: bot.id, state: "suspended" });
    expect((await closed)[0]).toBe(4401);
    expect(await refused(`${at}/v11?access_token=${bot.token}`)).toBe(403);
    await telex.operator.users.amend(operator, { id: bot.id, state: "active" });
    const { ask } = await connect();
    expect(await ask("get_login_info")).toMatchObject({ status: "ok" });
  });

  it("does nothing more when its token has ended, although it has not seen that yet", async () => {
    const { connect, telex, bot, groupId, stored } = await start();
    const { socket, raw } = await connect();
    socket.pause();
    await telex.operator.tokens.revoke(operator, { token: String(bot.tokenId) });
    raw(JSON.stringify({ action: "send_group_msg", params: { group_id: groupId, message: "too late" } }));
    const closed = once(socket, "close");
    socket.resume();
    await closed;
    expect(await stored()).toEqual([]);
  });

  it.each(["send_group_msg_async", "send_group_msg"])(
    "with %s changes nothing once its token has ended, although the action has begun before",
    async (action) => {
      const asked = Promise.withResolvers<ServerResponse>();
      const pictures = createServer((_request, response) => asked.resolve(response)).listen(0, "127.0.0.1");
      onTestFinished(() => void pictures.close());
      await once(pictures, "listening");
      const host = `127.0.0.1:${z.object({ port: z.number() }).parse(pictures.address()).port}`;
      const { connect, telex, bot, groupId, stored, say, alice } = await start({ mediaAllow: [host] });
      const { socket, raw } = await connect();
      const message = [{ type: "image", data: { file: `http://${host}/a.png` } }];
      raw(JSON.stringify({ action, params: { group_id: groupId, message } }));
      const response = await asked.promise;
      const [closed, cut] = [once(socket, "close"), once(response, "close")];
      await telex.operator.tokens.revoke(operator, { token: String(bot.tokenId) });
      await closed;
      // Telex gives up the picture, and with it the message.
      await cut;
      await say(alice, "the next one");
      expect(await stored()).toHaveLength(1);
    },
  );

  it("that is refused, or asks for what there is not, is counted, and logged once for its cause", async () => {
    const counts = new Map<string, number>();
    const fault = ({ source, cause }: ObservedFault): void => {
      counts.set(`${source} ${cause}`, (counts.get(`${source} ${cause}`) ?? 0) + 1);
    };
    const counting = definePlugin({ name: "counting", observer: { fault } });
    const { at, connect, http, log } = await start({}, [counting]);
    for (let count = 0; count < 3; count += 1) {
      await refused(`${at}/v11`);
      await refused(`${at}/v11`, { authorization: `Bearer wrong-${count}` });
      await fetch(`${http}/v12`, { method: "GET" });
    }
    const { ask, raw } = await connect();
    for (let count = 0; count < 3; count += 1) await ask(`get_nothing_${count}`);
    raw("no JSON");
    raw(Buffer.from([0xff]));
    await vi.waitUntil(() => counts.has("onebot-implementation broken_frame"), patience);
    expect(Object.fromEntries(counts)).toEqual({
      "onebot-implementation missing_token": 3,
      "onebot-implementation wrong_token": 3,
      "onebot-implementation refused_request": 3,
      "onebot-implementation malformed_action": 4,
      "onebot-implementation broken_frame": 1,
    });
    expect(log.lines.filter((line) => line.includes("onebot.fault"))).toHaveLength(5);
  });

  it("is refused by the codes of the version, and goes on", async () => {
    const { connect, groupId, bob, say } = await start();
    const v11 = await connect();
    for (const text of ["no JSON", "[]", "null", '{"action":7}', '{"action":"get_status","params":[]}']) v11.raw(text);
    v11.raw('{"action":"get_nothing","params":null,"echo":{"any":["thing"]}}');
    const first = (await v11.ask("get_status")) && v11.frames.filter((frame) => "retcode" in frame);
    expect(first.map(({ retcode }) => retcode)).toEqual([1400, 1400, 1400, 1400, 1400, 1404, 0]);
    expect(first[5]).toMatchObject({ status: "failed", data: null, echo: { any: ["thing"] } });
    const code11 = async (action: string, params: object) => (await v11.ask(action, params))["retcode"];
    expect(await code11("get_group_info", { group_id: "x" })).toBe(1400);
    expect(await code11("get_group_info", { group_id: 2 ** 60 })).toBe(1400);
    expect(await code11("get_group_info", { group_id: 999 })).toBe(1404);
    expect(await code11("get_msg", { message_id: 999 })).toBe(1404);
    const face = [{ type: "face", data: { id: "1" } }];
    expect(await code11("send_group_msg", { group_id: groupId, message: face })).toBe(1400);
    expect(await code11("send_group_msg", { group_id: groupId, message: "x".repeat(10_001) })).toBe(1400);
    expect(await code11("send_group_msg", { group_id: groupId, message: Array(101).fill(face[0]) })).toBe(1400);
    expect(await code11("send_group_msg", { group_id: groupId, message: "" })).toBe(1400);

    const v12 = await connect(12);
    v12.raw('{"action":"get_status","echo":"no params"}');
    expect(await v12.answer("no params")).toMatchObject({ retcode: 10_001 });
    v12.raw('{"action":"get_status","params":{},"echo":"self","self":{"platform":"telex","user_id":"999"}}');
    expect(await v12.answer("self")).toMatchObject({ retcode: 10_102 });
    const code12 = async (action: string, params: object) => (await v12.ask(action, params))["retcode"];
    expect(await code12("set_group_name", {})).toBe(10_002);
    expect(await code12("get_group_info", { group_id: groupId })).toBe(10_003);
    expect(await code12("get_group_info", { group_id: "999" })).toBe(35_001);
    const to = { detail_type: "group", group_id: String(groupId) };
    expect(await code12("send_message", { ...to, message: [{ type: "voice", data: {} }] })).toBe(10_005);
    expect(await code12("send_message", { ...to, message: [{ type: "mention", data: { user_id: "9" } }] })).toBe(
      10_006,
    );
    await say(bob, "still here?");
    await v12.told({ type: "message" });
    await v11.told({ post_type: "message" });
  });

  it.each([
    [11, "send_group_msg", 1400],
    [12, "send_message", 10_003],
  ] as const)("learns under OneBot %i which limit a message exceeds", async (version, action, retcode) => {
    const { connect, groupId } = await start();
    const { ask } = await connect(version);
    const to = version === 11 ? { group_id: groupId } : { detail_type: "group", group_id: String(groupId) };
    const told = async (message: unknown) => {
      const answer = await ask(action, { ...to, message });
      return [answer["retcode"], answer["message"]];
    };
    const text = (length: number) => ({ type: "text", data: { text: "x".repeat(length) } });
    const tooLong = [retcode, expect.stringContaining("10000")];
    expect(await told("x".repeat(10_001))).toEqual(tooLong);
    expect(await told("x".repeat(4_000_000))).toEqual(tooLong);
    expect(await told([text(10_001)])).toEqual(tooLong);
    expect(await told([text(9000), text(1001)])).toEqual(tooLong);
    const tooMany = [retcode, expect.stringContaining("100 segments")];
    expect(await told(Array.from({ length: 101 }, () => text(1)))).toEqual(tooMany);
    expect(await told(Array.from({ length: 20_000 }, () => text(1)))).toEqual(tooMany);
    expect((await told(Array.from({ length: 100 }, () => text(100))))[0]).toBe(0);
  });

  it("gets an answer without the echo if that is nested too deeply to be written, and others go on", async () => {
    const { connect } = await start();
    const { raw, told, ask } = await connect();
    const echo = `${"[".repeat(200_000)}{"1":1}${"]".repeat(200_000)}`;
    raw(`{"action":"get_status","echo":${echo}}`);
    expect(Object.keys(await told({ retcode: 0 }))).not.toContain("echo");
    raw(`{"action":7,"echo":${echo}}`);
    expect(Object.keys(await told({ retcode: 1400 }))).not.toContain("echo");
    expect(await ask("get_status")).toMatchObject({ retcode: 0 });
  });

  it("does not tell whether a message is in a room of others", async () => {
    const { connect, telex, room, alice, bob } = await start();
    await telex.operator.users.amend(operator, { id: alice.id, oneBot: {} });
    const strange = await room([alice, bob], { groupType: 1 });
    const insider = await connect(11, { token: alice.token });
    const { message_id } = sentOf(await insider.ask("send_group_msg", { group_id: strange, message: "secret" }));
    const { ask } = await connect();
    const shown = async (id: number) => {
      const { retcode, message } = await ask("get_msg", { message_id: id });
      return { retcode, message: String(message).replace(String(id), "") };
    };
    expect(await shown(message_id)).toEqual(await shown(message_id + 1));
  });

  it("cannot tell a room of others from none, and says no more than the rates allow", async () => {
    const found: { limiter?: ReturnType<typeof createRateLimiter> } = {};
    const { connect, telex, room, alice, bob } = await start({
      rateLimiter: () => found.limiter ?? createRateLimiter({ token: rate, address: rate }, telexDeps),
    });
    const strange = await room([alice, bob], { groupType: 1 });
    const { ask } = await connect();
    const [one, other] = [
      await ask("get_group_info", { group_id: strange }),
      await ask("get_group_info", { group_id: 999 }),
    ];
    expect({ ...one, echo: "" }).toEqual({ ...other, echo: "" });
    found.limiter = createRateLimiter({ token: { burst: 2, perMinute: 1 }, address: rate }, telex);
    expect([await ask("get_status"), await ask("get_status"), await ask("get_status")]).toMatchObject([
      { retcode: 0 },
      { retcode: 0 },
      { status: "failed", retcode: 1429 },
    ]);
  });

  it("that brings no events sees who is in a room now", async () => {
    const { connect, telex, groupId, alice, bob, bot } = await start();
    const { ask } = await connect(11, { path: "/api" });
    const codeOf = async (id: number) =>
      (await ask("get_group_member_info", { group_id: groupId, user_id: id }))["retcode"];
    expect(await codeOf(bob.id)).toBe(0);
    await telex.operator.groups.amendMembers(operator, { groupId, add: [], remove: [bob.id] });
    await vi.waitUntil(async () => (await codeOf(bob.id)) === 1404, patience);
    expect(await codeOf(alice.id)).toBe(0);
    await telex.operator.groups.amendMembers(operator, { groupId, add: [], remove: [bot.id] });
    await vi.waitUntil(async () => (await codeOf(alice.id)) === 1404, patience);
  });

  it("that sends a frame of more than 16 MiB is closed, and others go on", async () => {
    const { connect } = await start();
    const [big, other] = [await connect(), await connect()];
    const closed = once(big.socket, "close");
    big.raw("x".repeat(17 * 2 ** 20));
    expect((await closed)[0]).toBe(1009);
    expect(await other.ask("get_status")).toMatchObject({ retcode: 0 });
  });

  it("is refused if 16 are open for the user", async () => {
    const { connect, at, bot } = await start();
    await Promise.all(Array.from({ length: 16 }, () => connect()));
    expect(await refused(`${at}/v11?access_token=${bot.token}`)).toBe(429);
  });
});

const rate = { burst: 1000, perMinute: 1000 } as const;
const telexDeps = { clock: { now: () => 0, after: () => () => {} }, limits: { rateEntries: 10 } } as const;
