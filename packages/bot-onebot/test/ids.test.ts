import { until } from "@telex/conformance/testing";
import { describe, expect, it, vi } from "vitest";
import { createImplementation, type Frame } from "../src/testing/index.ts";
import { patience, start } from "./setup.ts";

const emptied = "[消息已撤回]";

/** How each version writes a message of a group, and its recall. */
const said = {
  11: ({ id, text, room = "500", user = "1001", time = 1_700_000_000, quotes = "" }: Said): Frame => ({
    post_type: user === "9000" ? "message_sent" : "message",
    message_type: "group",
    message_id: id,
    group_id: Number(room),
    user_id: Number(user),
    self_id: 9000,
    time,
    message: [...(quotes === "" ? [] : [{ type: "reply", data: { id: quotes } }]), { type: "text", data: { text } }],
    sender: { nickname: "nick", card: "" },
  }),
  12: ({ id, text, room = "500", user = "1001", time = 1_700_000_000, quotes = "" }: Said): Frame => ({
    id: `e-${text}`,
    type: "message",
    detail_type: "group",
    sub_type: "",
    message_id: String(id),
    group_id: room,
    user_id: user,
    self: { platform: "qq", user_id: "9000" },
    time,
    message: [
      ...(quotes === "" ? [] : [{ type: "reply", data: { message_id: quotes } }]),
      { type: "text", data: { text } },
    ],
    alt_message: text,
  }),
} as const;

const recalled = {
  11: (id: string, room: string): Frame => ({
    post_type: "notice",
    notice_type: "group_recall",
    self_id: 9000,
    time: 1,
    user_id: 1001,
    operator_id: 1001,
    message_id: Number(id),
    group_id: Number(room),
  }),
  12: (id: string, room: string): Frame => ({
    id: `r-${id}-${room}`,
    type: "notice",
    detail_type: "group_message_delete",
    sub_type: "delete",
    time: 1,
    user_id: "1001",
    operator_id: "1001",
    message_id: id,
    group_id: room,
    self: { platform: "qq", user_id: "9000" },
  }),
} as const;

interface Said {
  readonly id: string | number;
  readonly text: string;
  readonly room?: string;
  readonly user?: string;
  /** Seconds. */
  readonly time?: number;
  readonly quotes?: string;
}

/** Two rooms of one account, and its implementation. */
async function scene(version: 11 | 12) {
  const here = await start();
  const other = await here.room([here.alice], { groupType: 4, ext: "501", bot: "bot-1" });
  const bot = createImplementation(version);
  await bot.connect(here.at(`/onebot/v${version}/ws`), { token: "secret" });
  await until(() => here.find()?.isOnline === true);
  const me = await here.caller(here.alice);
  const list = async (groupId = here.groupId) => {
    const { groupMessages } = await here.telex.messages.history(me, { groupId, groupType: 4, pageSize: 100 });
    return groupMessages.toReversed();
  };
  const texts = async (groupId = here.groupId): Promise<string[]> =>
    (await list(groupId)).map(({ content }) => /"text":"([^"]*)"/.exec(content)?.[1] ?? content);
  const shows = async (expected: readonly string[], groupId = here.groupId): Promise<boolean> => {
    await vi.waitFor(async () => expect(await texts(groupId)).toEqual(expected), patience);
    return true;
  };
  const send = (given: Said) => bot.tell(said[version](given));
  /** Every message that is sent gets this id in the network. */
  const answerWith = (id: string | number): void => {
    const answer = () => ({ status: "ok", retcode: 0, data: { message_id: id, time: 1 }, message: "" });
    for (const action of ["send_group_msg", "send_message"]) bot.answers.set(action, answer);
  };
  return { ...here, bot, other, me, list, shows, send, answerWith, recall: recalled[version] };
}

describe.each([11, 12] as const)("with ids of OneBot %i that are unique in their group only", (version) => {
  it("messages of two groups with one id are both stored", async () => {
    const { send, other, shows } = await scene(version);
    for (const room of ["500", "501", "500", "501"]) send({ id: 7, text: `in ${room}`, room });
    expect(await shows(["in 501"], other)).toBe(true);
    expect(await shows(["in 500"])).toBe(true);
  });

  it("a recall and a quote mean the message of their own group", async () => {
    const { bot, send, other, list, shows, recall } = await scene(version);
    send({ id: 7, text: "first", room: "500" });
    send({ id: 7, text: "second", room: "501" });
    send({ id: 8, text: "about second", room: "501", quotes: "7" });
    expect(await shows(["second", "about second"], other)).toBe(true);
    expect(await shows(["first"])).toBe(true);
    const [second, quoting] = await list(other);
    expect(quoting?.content).toContain(`"reply":{"id":"7","messageId":"${second?.messageId}"}`);
    bot.tell(recall("7", "501"));
    expect(await shows([emptied, "about second"], other)).toBe(true);
    expect(await shows(["first"])).toBe(true);
  });

  it("a message is stored that gets an id of another group", async () => {
    const { send, say, list, shows, answerWith, other } = await scene(version);
    send({ id: 7, text: "there", room: "501" });
    expect(await shows(["there"], other)).toBe(true);
    answerWith(7);
    const { messageId } = await say("here");
    expect((await list()).map((message) => message.messageId)).toEqual([messageId]);
    // The network tells of it as well: that is the same message.
    send({ id: 7, text: "here", user: "9000", time: Math.floor(Date.now() / 1000) });
    send({ id: 9, text: "after it" });
    expect(await shows(["here", "after it"])).toBe(true);
  });
});

describe.each([11, 12] as const)("an implementation of OneBot %i that gives ids again", (version) => {
  it.each([0, -1, "", "0", "-1", 77])("stores each message that is answered with the id %j", async (id) => {
    const { say, list, answerWith } = await scene(version);
    answerWith(id);
    const sent = [await say("one"), await say("two"), await say("three")];
    expect((await list()).map((message) => message.messageId)).toEqual(sent.map(({ messageId }) => messageId));
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(3);
  });

  it.each([0, -1, "", "0", "-1"])(
    "stores each message that comes with the id %j, and recalls none by it",
    async (id) => {
      const { bot, send, shows, recall } = await scene(version);
      for (const text of ["one", "two", "three"]) send({ id, text });
      bot.tell({ ...recall("1", "500"), message_id: id });
      send({ id: 5, text: "last" });
      expect(await shows(["one", "two", "three", "last"])).toBe(true);
    },
  );

  it("stores what is said with an id that an earlier message has, once", async () => {
    const { bot, send, shows, recall } = await scene(version);
    send({ id: 1, text: "before the restart", time: 1_700_000_000 });
    for (let times = 0; times < 2; times += 1) {
      send({ id: 1, text: "by the same person", time: 1_700_000_001 });
      send({ id: 2, text: "of the same time", user: "1002", time: 1_700_000_000 });
    }
    expect(await shows(["before the restart", "by the same person", "of the same time"])).toBe(true);
    bot.tell(recall("1", "500"));
    expect(await shows(["before the restart", emptied, "of the same time"])).toBe(true);
    // It comes again, as after a lost connection.
    send({ id: 1, text: "by the same person", time: 1_700_000_001 });
    send({ id: 1, text: "by the same person", time: 1_700_003_600 });
    expect(await shows(["before the restart", emptied, "of the same time", "by the same person"])).toBe(true);
  });

  it("has negative ids that are real", async () => {
    const { bot, send, say, shows, answerWith, recall } = await scene(version);
    answerWith(-2);
    await say("sent");
    bot.tell(recall("-2", "500"));
    expect(await shows([emptied])).toBe(true);
    for (let times = 0; times < 2; times += 1) send({ id: -7, text: "said" });
    expect(await shows([emptied, "said"])).toBe(true);
  });
});
