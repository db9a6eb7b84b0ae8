import { until } from "@telex/conformance/testing";
import { describe, expect, it, vi } from "vitest";
import { createImplementation } from "../src/testing/index.ts";
import { patience, start } from "./setup.ts";

const seconds = () => Math.floor(Date.now() / 1000);

/** A message as implementations tell it in a history. */
const past = (message_id: number, text: string, time: number, more: object = {}) => ({
  message_id,
  user_id: 1001,
  time,
  sender: { nickname: "Ann", card: "" },
  message: [{ type: "text", data: { text } }],
  ...more,
});

/** A server, and what its room has stored, the oldest first. */
async function scene() {
  const here = await start();
  const caller = await here.caller(here.alice);
  const stored = async () => {
    const { groupMessages } = await here.telex.messages.history(caller, { groupId: here.groupId, groupType: 4 });
    return groupMessages
      .toReversed()
      .map(({ content, createTime, userId }) => ({ said: content, at: createTime / 1000, userId }));
  };
  return { ...here, stored };
}

const textOf = (text: string): string => JSON.stringify([{ text: { text } }]);

describe("an account that comes online with OneBot 11", () => {
  it("gets what was said meanwhile, once, with its time, and nothing from before the room", async () => {
    const { at, find, stored } = await scene();
    const now = seconds();
    const messages = [past(11, "second", now + 20), past(10, "first", now + 10), past(9, "long ago", now - 9000)];
    const first = createImplementation(11);
    first.answers.set("get_group_msg_history", () => ({ status: "ok", retcode: 0, data: { messages } }));
    await first.connect(at(), { token: "secret" });
    await vi.waitUntil(async () => (await stored()).length === 2, patience);
    expect(await stored()).toEqual([
      { said: textOf("first"), at: now + 10, userId: "1001" },
      { said: textOf("second"), at: now + 20, userId: "1001" },
    ]);
    expect(first.seen[0]?.params).toEqual({ group_id: 500, count: 100 });

    first.end();
    await until(() => find()?.isConnected === false);
    messages.unshift(past(12, "third", now + 30));
    const second = createImplementation(11);
    second.answers.set("get_group_msg_history", () => ({ status: "ok", retcode: 0, data: { messages } }));
    await second.connect(at(), { token: "secret" });
    await vi.waitUntil(async () => (await stored()).length === 3, patience);
    expect((await stored())[2]).toEqual({ said: textOf("third"), at: now + 30, userId: "1001" });
  });

  it("learns what became of a message whose outcome was not known", async () => {
    const { at, find, say, stored, alice } = await scene();
    const first = createImplementation(11);
    await first.connect(at(), { token: "secret" });
    await until(() => find()?.isOnline === true);
    first.behave("silent");
    const sending = say("did it arrive?");
    await until(() => first.texts().length === 1);
    first.end();
    await expect(sending).rejects.toMatchObject({ code: "delivery_unknown" });
    const second = createImplementation(11);
    const messages = [past(77, "did it arrive?", seconds(), { user_id: 9000 })];
    second.answers.set("get_group_msg_history", () => ({ status: "ok", retcode: 0, data: { messages } }));
    await second.connect(at(), { token: "secret" });
    await vi.waitUntil(async () => (await stored()).length === 1, patience);
    expect(await stored()).toMatchObject([{ said: textOf("did it arrive?"), userId: String(alice.id) }]);
  });

  it("stores a file once that came as a notice before, and no own file again", async () => {
    const { at, find, stored } = await scene();
    const now = seconds();
    const file = (file_id: string) => [{ type: "file", data: { file: "a.txt", file_id, file_size: "3" } }];
    const first = createImplementation(11);
    await first.connect(at(), { token: "secret" });
    await until(() => find()?.isOnline === true);
    const notice = { post_type: "notice", notice_type: "group_upload", self_id: 9000, user_id: 1001, group_id: 500 };
    first.tell({ ...notice, time: now, file: { id: "/f1", name: "a.txt", size: 3, busid: 102 } });
    await vi.waitUntil(async () => (await stored()).length === 1, patience);
    first.end();
    await until(() => find()?.isConnected === false);
    const second = createImplementation(11);
    const messages = [
      past(21, "", now, { message: file("/f1") }),
      past(22, "", now, { message: file("/f2"), user_id: 9000 }),
      past(23, "after the files", now),
    ];
    second.answers.set("get_group_msg_history", () => ({ status: "ok", retcode: 0, data: { messages } }));
    await second.connect(at(), { token: "secret" });
    await vi.waitUntil(async () => (await stored()).length === 2, patience);
    expect((await stored()).map(({ said }) => said)).toEqual([
      '[{"file":{"file":"a.txt"}}]',
      textOf("after the files"),
    ]);
  });

  it("keeps the order of a room: what arrives meanwhile comes after what was missed", async () => {
    const { at, find, stored } = await scene();
    const bot = createImplementation(11);
    const now = seconds();
    bot.answers.set("get_group_msg_history", () => {
      bot.say("new");
      return { status: "ok", retcode: 0, data: { messages: [past(31, "missed", now)] } };
    });
    await bot.connect(at(), { token: "secret" });
    await vi.waitUntil(async () => (await stored()).length === 2, patience);
    expect(find()?.isOnline).toBe(true);
    expect((await stored()).map(({ said }) => said)).toEqual([textOf("missed"), textOf("new")]);
  });

  it("asks no further where the implementation has no histories, or answers nonsense", async () => {
    const { at, find, room, alice, say, stored } = await scene();
    await room([alice], { groupType: 4, ext: "501", bot: "bot-1" });
    const bot = createImplementation(11);
    bot.answers.set("get_group_msg_history", () => ({ status: "failed", retcode: 1404, data: null }));
    await bot.connect(at(), { token: "secret" });
    await until(() => find()?.isOnline === true && bot.asked.includes("get_group_msg_history"));
    await say("hello");
    // A further question would arrive before the second text.
    await say("again");
    expect(bot.asked.filter((action) => action === "get_group_msg_history")).toHaveLength(1);
    bot.end();
    await until(() => find()?.isConnected === false);
    const other = createImplementation(11);
    other.answers.set("get_group_msg_history", () => ({
      status: "ok",
      retcode: 0,
      data: { messages: [{}, { time: "x" }] },
    }));
    await other.connect(at(), { token: "secret" });
    await until(() => other.asked.filter((action) => action === "get_group_msg_history").length === 2);
    expect(await stored()).toHaveLength(2);
  });
});

it("OneBot 12 has no histories: nothing is asked", async () => {
  const { at, find, say } = await scene();
  const bot = createImplementation(12);
  await bot.connect(at("/onebot/v12/ws"), { token: "secret" });
  await until(() => find()?.isOnline === true);
  await say("hello");
  expect(bot.asked.some((action) => action.includes("history"))).toBe(false);
});
