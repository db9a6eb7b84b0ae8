import { until } from "@telex/conformance/testing";
import { expect, it, vi } from "vitest";
import { createImplementation } from "../src/testing/index.ts";
import { patience, start } from "./setup.ts";

const emptied = '[{"text":{"text":"[消息已撤回]"}}]';

/** How each version tells of a message and of its recall, and recalls one itself. */
const versions = {
  11: {
    recalled: { post_type: "notice", notice_type: "group_recall", self_id: 9000, time: 1, user_id: 1001 },
    ids: { group_id: 500, operator_id: 1002 },
    own: { action: "delete_msg" },
  },
  12: {
    recalled: { type: "notice", detail_type: "group_message_delete", sub_type: "delete", time: 1, user_id: "1001" },
    ids: { group_id: "500", operator_id: "1002" },
    own: { action: "delete_message" },
  },
} as const;

async function scene(version: 11 | 12) {
  const here = await start();
  const bot = createImplementation(version);
  await bot.connect(here.at(`/onebot/v${version}/ws`), { token: "secret" });
  await until(() => here.find()?.isOnline === true);
  const { telex, caller, alice, groupId } = here;
  const me = await caller(alice);
  const list = async () => (await telex.messages.history(me, { groupId, groupType: 4 })).groupMessages.toReversed();
  const recall = (messageId: number) => telex.messages.recall(me, { groupId, messageId });
  return { ...here, bot, list, recall };
}

it.each([11, 12] as const)("a recall that OneBot %i tells empties the message", async (version) => {
  const { recalled, ids } = versions[version];
  const { bot, say, list } = await scene(version);
  const { messageId } = await say("sent by a member");
  const id = (await list())[0]?.id;
  expect(id).toBe(String(messageId));
  const sent = version === 11 ? -2_147_302_766 : "-2147302766";
  bot.tell({ ...recalled, ...ids, message_id: sent });
  await vi.waitUntil(async () => (await list())[0]?.content === emptied, patience);
  expect(bot.asked).not.toContain(versions[version].own.action);
});

it.each([11, 12] as const)(
  "a recall by the sender is told to OneBot %i, under the id of the network",
  async (version) => {
    const { bot, say, recall, list } = await scene(version);
    bot.answers.set(versions[version].own.action, () => ({ status: "ok", retcode: 0, data: null, message: "" }));
    await recall((await say("oops")).messageId);
    await until(() => bot.asked.includes(versions[version].own.action));
    expect(bot.seen.at(-1)).toEqual({
      ...versions[version].own,
      params: { message_id: version === 11 ? -2_147_302_766 : "-2147302766" },
      ...(version === 12 ? { self: { platform: "qq", user_id: "9000" } } : {}),
    });
    expect((await list())[0]?.content).toBe(emptied);
  },
);

it("a recall of a text with a file takes both out of OneBot 11", async () => {
  const { bot, say, recall, telex, caller, alice } = await scene(11);
  const file = { name: "a.txt", mime: "", bytes: new Blob(["plain"]).stream() };
  const { file_id } = await telex.bucket.upload(await caller(alice), { file });
  bot.answers.set("upload_group_file", () => ({ status: "ok", retcode: 0, data: { file_id: "/f-1" } }));
  for (const action of ["delete_msg", "delete_group_file"]) {
    bot.answers.set(action, () => ({ status: "ok", retcode: 0, data: null, message: "" }));
  }
  const { messageId } = await say([
    { type: "text", data: { text: "look" } },
    { type: "file", data: { file_id, name: "a.txt" } },
  ]);
  await recall(messageId);
  await until(() => bot.asked.includes("delete_group_file") && bot.asked.includes("delete_msg"));
  const deleted = bot.seen.filter(({ action }) => action.startsWith("delete"));
  expect(deleted.toSorted((a, b) => a.action.localeCompare(b.action))).toEqual([
    { action: "delete_group_file", params: { group_id: 500, file_id: "/f-1" } },
    { action: "delete_msg", params: { message_id: -2_147_302_766 } },
  ]);
});

it("takes recalls of private chats, and ignores malformed ones", async () => {
  const { bot, list, alice, room, telex, caller } = await scene(11);
  const chat = await room([alice], { groupType: 5, ext: "1001", bot: "bot-1" });
  const me = await caller(alice);
  const chatted = async () => (await telex.messages.history(me, { groupId: chat, groupType: 5 })).groupMessages;
  const said = {
    post_type: "message",
    message_type: "private",
    sub_type: "friend",
    self_id: 9000,
    user_id: 1001,
    time: 1,
  };
  bot.tell({ ...said, message_id: 5, message: "hello" });
  await vi.waitUntil(async () => (await chatted()).length === 1, patience);
  const recalled = { post_type: "notice", notice_type: "friend_recall", self_id: 9000, user_id: 1001, time: 2 };
  bot.tell({ ...recalled, message_id: {} });
  bot.tell({ ...recalled, notice_type: "group_recall", message_id: 5 });
  bot.tell({ ...recalled, message_id: 5 });
  await vi.waitUntil(async () => (await chatted())[0]?.content === emptied, patience);
  expect(await list()).toEqual([]);
});
