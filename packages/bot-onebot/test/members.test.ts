import { operator } from "@telex/core";
import { createManualClock, until } from "@telex/conformance/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createImplementation } from "../src/testing/index.ts";
import { start } from "./setup.ts";

const page = z.object({
  data: z.object({ list: z.array(z.looseObject({ ext: z.string() })), nextCursor: z.string().nullable() }),
});

/** A server, and what Alice sees of the members of the room. */
async function scene() {
  const here = await start();
  const members = async (query = "") => {
    const headers = { authorization: `Bearer ${here.alice.token}` };
    const response = await fetch(`${here.url}/external/api/v1/im/groups/${here.groupId}/members?${query}`, { headers });
    return page.parse(await response.json()).data;
  };
  return { ...here, members };
}

const lists = {
  11: [
    { user_id: 1002, nickname: "Ben", card: "" },
    { user_id: 1001, nickname: "Ann", card: "Ann of tea" },
    { user_id: 4711, nickname: "Alice there" },
    { nickname: "nobody" },
  ],
  12: [
    { user_id: "1002", user_name: "Ben", user_displayname: "" },
    { user_id: "1001", user_name: "Ann", user_displayname: "Ann of tea" },
    { user_id: "4711", user_name: "Alice there", user_displayname: "" },
    "nobody",
  ],
} as const;

describe.each([11, 12] as const)("members of a group behind OneBot %i", (version) => {
  it("follow the members of the room, who are not listed twice, and are asked for once", async () => {
    const { at, find, alice, members, telex, say, caller, groupId } = await scene();
    await telex.operator.users.amend(operator, { id: alice.id, ext: "4711" });
    const bot = createImplementation(version);
    bot.answers.set("get_group_member_list", () => ({ status: "ok", retcode: 0, data: lists[version], message: "" }));
    expect((await members()).list).toMatchObject([{ userId: String(alice.id), nickname: "Alice" }]);
    await bot.connect(at(`/onebot/v${version}/ws`), { token: "secret" });
    await until(() => find()?.isOnline === true);
    const { list, nextCursor } = await members();
    expect(nextCursor).toBeNull();
    expect(list).toMatchObject([
      { userId: String(alice.id), ext: "4711" },
      {
        userId: null,
        ext: "1001",
        nickname: "Ann",
        card: "Ann of tea",
        avatar: "/api/avatar/get/EXTpersonal?id=1001",
        online: false,
      },
      { userId: null, ext: "1002", nickname: "Ben", card: null },
    ]);
    const first = await members("pageSize=2");
    expect(first.list.map(({ ext }) => ext)).toEqual(["4711", "1001"]);
    const rest = await members(`pageSize=2&cursor=${first.nextCursor}`);
    expect([rest.list.map(({ ext }) => ext), rest.nextCursor]).toEqual([["1002"], null]);
    expect(bot.seen.filter(({ action }) => action === "get_group_member_list")).toHaveLength(1);
    const { messageId } = await say([{ type: "at", data: { ext: "1002" } }]);
    const { groupMessages } = await telex.messages.history(await caller(alice), { groupId, groupType: 4 });
    expect(groupMessages).toMatchObject([{ messageId, content: '[{"at":{"ext":"1002","name":"Ben"}}]' }]);
    bot.end();
    await until(() => find()?.isConnected === false);
    expect((await members()).list).toHaveLength(3);
  });

  it("are missing where the implementation does not list them, and the members of the room are there", async () => {
    const { at, find, members, alice } = await scene();
    const bot = createImplementation(version);
    bot.answers.set("get_group_member_list", () => ({ status: "failed", retcode: 1404, data: null, message: "no" }));
    await bot.connect(at(`/onebot/v${version}/ws`), { token: "secret" });
    await until(() => find()?.isOnline === true);
    expect(await members()).toMatchObject({ list: [{ userId: String(alice.id) }], nextCursor: null });
  });
});

describe.each([11, 12] as const)("a mention of a person of the network behind OneBot %i", (version) => {
  const action = "get_group_member_info";

  async function talking() {
    const here = await scene();
    const bot = createImplementation(version);
    const info = version === 11 ? { card: "Card", nickname: "nick" } : { user_displayname: "Card", user_name: "nick" };
    bot.answers.set(action, () => ({ status: "ok", retcode: 0, data: info, message: "" }));
    await bot.connect(here.at(`/onebot/v${version}/ws`), { token: "secret" });
    await until(() => here.find()?.isOnline === true);
    const me = await here.caller(here.alice);
    const list = async (groupId = here.groupId) =>
      (await here.telex.messages.history(me, { groupId, groupType: 4 })).groupMessages;
    const mention = async (...exts: readonly string[]) => {
      await here.say(exts.map((ext) => ({ type: "at", data: { ext } })));
      return JSON.parse((await list())[0]?.content ?? "") as unknown;
    };
    const at = (ext: string, name: string) => ({ at: { ext, name } });
    return { ...here, bot, list, mention, at };
  }

  it("has the name under which the person has spoken, without a question", async () => {
    const { bot, list, mention, at } = await talking();
    bot.say("hello", "500", "1001");
    await until(async () => (await list()).length === 1);
    const asked = bot.asked.filter((name) => name === action).length;
    expect(await mention("1001")).toEqual([at("1001", version === 11 ? "n1001" : "Card")]);
    expect(bot.asked.filter((name) => name === action)).toHaveLength(asked);
  });

  it("has the name that the network tells, which is asked for once", async () => {
    const { bot, mention, at } = await talking();
    for (let times = 0; times < 2; times += 1) expect(await mention("1002")).toEqual([at("1002", "Card")]);
    expect(bot.asked.filter((name) => name === action)).toHaveLength(1);
  });

  it("has the ID if the network tells no name", async () => {
    const { bot, mention, at } = await talking();
    bot.answers.set(action, () => ({ status: "failed", retcode: 1404, data: null, message: "no" }));
    expect(await mention("1003", "all")).toEqual([at("1003", "1003"), at("all", "全体成员")]);
  });
});

it("a network that does not tell names holds up a message for 3 s, and no other room", async () => {
  const clock = createManualClock();
  const here = await start({}, undefined, [], { clock });
  const other = await here.room([here.alice], { groupType: 4, ext: "501", bot: "bot-1" });
  const bot = createImplementation(11);
  bot.answers.set("get_group_member_info", () => null);
  await bot.connect(here.at(), { token: "secret" });
  await until(() => here.find()?.isOnline === true);
  const exts = Array.from({ length: 50 }, (_, index) => String(2000 + index));
  let isSent = false;
  const sending = here.say(exts.map((ext) => ({ type: "at", data: { ext } }))).then(() => (isSent = true));
  await until(() => bot.asked.includes("get_group_member_info"));
  await here.telex.messages.send(await here.caller(here.alice), { groupId: other, groupType: 4, message: "meanwhile" });
  expect([isSent, bot.texts()]).toEqual([false, ["meanwhile"]]);
  expect(bot.asked.filter((name) => name === "get_group_member_info")).toHaveLength(16);
  await clock.advance(3000);
  await sending;
  const me = await here.caller(here.alice);
  const { groupMessages } = await here.telex.messages.history(me, { groupId: here.groupId, groupType: 4 });
  expect(groupMessages[0]?.content).toContain('{"at":{"ext":"2000","name":"2000"}}');
});
