import { createOneBot } from "@telex/bot-onebot";
import { createImplementation, type Frame } from "@telex/bot-onebot/testing";
import { createManualClock, until } from "@telex/conformance/testing";
import { operator } from "@telex/core";
import { createMemoryStorage } from "@telex/storage-memory";
import { expect, it, onTestFinished } from "vitest";
import { field, type Member } from "./groups-scene.ts";
import { type Answer, start } from "./server.ts";

const done: Frame = { status: "ok", retcode: 0, data: null, message: "" };
const failed = (retcode: number): Frame => ({ status: "failed", retcode, data: null, message: "no" });

/** A room of the group 500 with Alice and Bob, where a bot of a version of OneBot sends and receives. */
async function scene(version: 11 | 12 = 11) {
  const clock = createManualClock(Date.now());
  const network = createOneBot({ accounts: [{ account: "bot-1", token: "secret", minInterval: 0 }], clock });
  const server = await start({}, { network, beside: { clock, storage: createMemoryStorage({ clock }) } });
  const [alice, bob] = [await server.member("alice"), await server.member("bob")];
  const members = [alice.id, bob.id];
  const added = { groupType: 4, name: "Out", ext: "500", bot: "bot-1", members } as const;
  const { groupId } = await server.telex.operator.groups.add(operator, { ...added, members });
  const bot = createImplementation(version);
  onTestFinished(() => bot.end());
  await bot.connect(`${server.url.replace("http", "ws")}/onebot/v${version}/ws`, { token: "secret" });
  await until(async () => (await server.telex.operator.bots.list(operator, {}))[0]?.online === true);
  bot.answers.set("set_msg_emoji_like", () => done);
  const sent = await alice.browser.post("/im/sendGroupMessage", { groupId, groupType: 4, message: "hello" });
  const messageId = Number(field(sent, "messageId"));
  const shown = async (): Promise<unknown> => {
    const path = `/im/getMessage?groupId=${groupId}&groupType=4&more=1`;
    const messages: unknown = field(await bob.browser.get(path), "groupMessages");
    return Reflect.get(Object(Array.isArray(messages) ? messages.at(-1) : null), "reactions") ?? [];
  };
  return {
    ...server,
    alice,
    bob,
    bot,
    clock,
    groupId,
    messageId,
    shown,
    react: async (by: Member, emoji: string, remove = false): Promise<Answer> =>
      await by.browser.post("/im/react", { groupId, messageId, emoji, remove }),
    /** The reactions that reached the network. */
    told: () =>
      bot.seen.flatMap(({ action, params }) =>
        action === "set_msg_emoji_like" ? [[params["message_id"], params["emoji_id"], params["set"]]] : [],
      ),
  };
}

it("the account reacts in the network for all members: with the first one, and until the last one", async () => {
  const { alice, bob, react, told, shown } = await scene();
  await Promise.all([react(alice, "👍"), react(bob, "👍"), react(alice, "👍")]);
  expect(told()).toEqual([[-2_147_302_766, "76", true]]);
  expect(await shown()).toMatchObject([{ emoji: "👍", count: 2 }]);
  await react(alice, "👍", true);
  expect(told()).toHaveLength(1);
  await Promise.all([react(bob, "👍", true), react(bob, "👍", true)]);
  expect(told().slice(1)).toEqual([[-2_147_302_766, "76", false]]);
  await react(bob, "🔥");
  expect(told().at(-1)).toEqual([-2_147_302_766, "128293", true]);
  expect(await shown()).toMatchObject([{ emoji: "🔥", count: 1 }]);
});

it("a reaction that the network does not take is refused with the reason, and is not shown", async () => {
  const { alice, bot, react, shown } = await scene();
  expect(await react(alice, "🇨🇳")).toMatchObject({ status: 409, error: "not_supported" });
  bot.answers.set("set_msg_emoji_like", () => failed(1404));
  expect(await react(alice, "👍")).toMatchObject({ status: 409, error: "not_supported" });
  bot.answers.set("set_msg_emoji_like", () => failed(1200));
  expect(await react(alice, "👍")).toMatchObject({ status: 502, error: "delivery_failed" });
  expect(await shown()).toEqual([]);
  bot.answers.set("set_msg_emoji_like", () => done);
  expect((await react(alice, "👍")).status).toBe(200);
  bot.end();
  await until(async () => (await react(alice, "🔥")).error === "bot_offline");
  expect(await shown()).toMatchObject([{ emoji: "👍", count: 1 }]);
});

it("a reaction without an answer is unknown, and is not shown", async () => {
  const { alice, bot, react, told, shown, clock } = await scene();
  bot.answers.set("set_msg_emoji_like", () => null);
  const lost = react(alice, "👍");
  await until(() => told().length > 0);
  await clock.advance(31_000);
  expect(await lost).toMatchObject({ status: 504, error: "delivery_unknown" });
  expect(await shown()).toEqual([]);
});

it("OneBot 12 has no reactions, and what it never had can be taken back", async () => {
  const { alice, bob, react, shown, storage, groupId, messageId, telex } = await scene(12);
  const refused = await react(alice, "👍");
  expect(refused).toMatchObject({ status: 409, error: "not_supported" });
  expect(refused.text).toContain("takes no reactions");
  const users: [number, string][] = [[bob.id, "bob"]];
  const extras = { editedAt: 0, reactions: [{ emoji: "👍", users, people: [] }] };
  await telex.amendMessage({ userId: bob.id, groupId, messageId, decide: () => ({ segments: null, extras }) });
  expect((await react(bob, "👍", true)).status).toBe(200);
  expect(await shown()).toEqual([]);
  expect(await storage.messages.findMessage(groupId, messageId)).not.toBeNull();
});

it("reactions of the network are shown in the room, those of the account itself and unknown faces are not", async () => {
  const { bot, shown, react, alice, told } = await scene();
  const notice = { post_type: "notice", notice_type: "group_msg_emoji_like", self_id: 9000, time: 1, group_id: 500 };
  const like = (userId: number | null, faces: readonly unknown[], more: Frame = {}): void =>
    bot.tell({
      ...notice,
      user_id: userId,
      message_id: -2_147_302_766,
      likes: faces.map((emoji_id) => ({ emoji_id, count: 1 })),
      ...more,
    });
  await react(alice, "🎉");
  like(9000, ["76"]);
  like(null, ["76"]);
  like(1001, ["76", "128293", "9999999", "300", 10_060]);
  like(1001, ["76"]);
  like(1002, ["76"], { is_add: true });
  like(1001, [], { likes: "broken" });
  like(1001, ["128293"], { is_add: false });
  like(1003, ["66"], { message_id: 4711 });
  like(1003, ["66"]);
  await until(async () => JSON.stringify(await shown()).includes("❤️"));
  const by = (...ids: readonly string[]) => ids.map((userId) => ({ userId, external: true }));
  expect(await shown()).toMatchObject([
    { emoji: "🎉", count: 1, users: [{ userId: String(alice.id) }] },
    { emoji: "👍", count: 2, users: by("1001", "1002") },
    { emoji: "❌", count: 1, users: by("1001") },
    { emoji: "❤️", count: 1, users: by("1003") },
  ]);
  expect(told()).toHaveLength(1);
});
