import { operator } from "@telex/core";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { sentOf, start } from "./setup.ts";

const picture = await sharp({ create: { width: 2, height: 2, channels: 3, background: "red" } })
  .png()
  .toBuffer();

describe("a framework that speaks OneBot 11", () => {
  it("is greeted, and learns who it is, and who is there", async () => {
    const { connect, bot, alice, bob, groupId } = await start();
    const { ask, told } = await connect();
    await told({ meta_event_type: "lifecycle", sub_type: "connect", self_id: bot.id });
    const data = async (action: string, params: object = {}) => (await ask(action, params))["data"];
    expect(await data("get_login_info")).toEqual({ user_id: bot.id, nickname: "Bot" });
    expect(await data("get_status")).toEqual({ online: true, good: true });
    expect(await data("get_version_info")).toMatchObject({ app_name: "telex", protocol_version: "v11" });
    expect(await data("can_send_image")).toEqual({ yes: true });
    expect(await data("can_send_record")).toEqual({ yes: false });
    expect(await data("get_friend_list")).toMatchObject([{ user_id: alice.id, nickname: "Alice" }]);
    expect(await data("get_group_list")).toMatchObject([{ group_id: groupId, member_count: 3 }]);
    expect(await data("get_group_info", { group_id: String(groupId) })).toMatchObject({ group_id: groupId });
    expect(await data("get_group_member_list", { group_id: groupId })).toMatchObject([
      { user_id: alice.id, nickname: "Alice", role: "member" },
      { user_id: bob.id },
      { user_id: bot.id },
    ]);
    expect(await data("get_group_member_info", { group_id: groupId, user_id: bob.id })).toMatchObject({
      nickname: "Bob",
    });
    expect(await data("get_stranger_info", { user_id: alice.id })).toMatchObject({ nickname: "Alice" });
  });

  it("is told what people say, and answers with a quote and a mention", async () => {
    const { connect, say, alice, bot, groupId, stored } = await start();
    const { ask, told } = await connect();
    const { messageId } = await say(alice, [
      { type: "at", data: { ext: String(bot.id) } },
      { type: "text", data: { text: " [hi], & you" } },
    ]);
    expect(await told({ post_type: "message" })).toMatchObject({
      message_type: "group",
      group_id: groupId,
      user_id: alice.id,
      self_id: bot.id,
      message_id: messageId,
      message: [
        { type: "at", data: { qq: String(bot.id), name: "Bot" } },
        { type: "text", data: { text: " [hi], & you" } },
      ],
      raw_message: `[CQ:at,qq=${bot.id},name=Bot] &#91;hi&#93;, &amp; you`,
      sender: { nickname: "Alice" },
    });
    const message = [
      { type: "reply", data: { id: String(messageId) } },
      { type: "at", data: { qq: String(alice.id) } },
      { type: "text", data: { text: " hello" } },
    ];
    const sent = await ask("send_group_msg", { group_id: groupId, message });
    expect(sent).toMatchObject({ status: "ok", retcode: 0 });
    expect((await stored())[0]).toEqual({
      userId: String(bot.id),
      content: [
        { reply: { id: "", messageId: String(messageId) } },
        { at: { ext: "", name: "Alice", userId: String(alice.id) } },
        { text: { text: " hello" } },
      ],
    });
    const got = await ask("get_msg", sentOf(sent));
    expect(got["data"]).toMatchObject({ group_id: groupId, user_id: bot.id, message });
    const history = await ask("get_group_msg_history", { group_id: groupId, count: 5 });
    expect(history["data"]).toMatchObject({ messages: [{ message_id: messageId }, sentOf(sent)] });
  });

  it("sees mentions of members without an ID in a network", async () => {
    const { connect, say, alice, bot } = await start();
    const { told } = await connect();
    await say(alice, [{ type: "at", data: { userId: bot.id } }]);
    expect(await told({ post_type: "message" })).toMatchObject({
      message: [{ type: "at", data: { qq: String(bot.id), name: "Bot" } }],
    });
  });

  it("sends strings with CQ codes, and plain ones with auto_escape", async () => {
    const { connect, groupId, alice, stored } = await start();
    const { ask } = await connect();
    await ask("send_msg", { group_id: groupId, message: `[CQ:at,qq=${alice.id}] a&amp;b` });
    await ask("send_msg", { group_id: groupId, message: "[CQ:at,qq=1]", auto_escape: true });
    expect((await stored()).map(({ content }) => content)).toEqual([
      [{ text: { text: "[CQ:at,qq=1]" } }],
      [{ at: { ext: "", name: "Alice", userId: String(alice.id) } }, { text: { text: " a&b" } }],
    ]);
  });

  it("talks to one person in the room of these two", async () => {
    const { connect, say, alice, bob, privateId, stored } = await start();
    const { ask, told } = await connect();
    await say(alice, "psst", privateId, 2);
    expect(await told({ post_type: "message" })).toMatchObject({ message_type: "private", user_id: alice.id });
    expect(await ask("send_private_msg", { user_id: alice.id, message: "yes" })).toMatchObject({ status: "ok" });
    expect((await stored(privateId, 2))[0]).toMatchObject({ content: [{ text: { text: "yes" } }] });
    expect(await ask("send_private_msg", { user_id: bob.id, message: "no" })).toMatchObject({ retcode: 1404 });
  });

  it("sends and receives pictures and files, and sends on what it got", async () => {
    const { connect, say, upload, alice, groupId, stored, url } = await start();
    const { ask, told, frames } = await connect();
    await ask("send_group_msg", {
      group_id: groupId,
      message: [{ type: "image", data: { file: `base64://${picture.toString("base64")}` } }],
    });
    const image = z
      .tuple([z.object({ image: z.object({ file: z.string(), file_size: z.string() }) })])
      .parse((await stored())[0]?.content);
    expect(image[0].image.file_size).toBe(String(picture.length));

    const file_id = await upload(alice, "a.txt", Buffer.from("tea"));
    await say(alice, [{ type: "file", data: { file_id, name: "a.txt" } }]);
    const notice = await told({ notice_type: "group_upload" });
    expect(notice).toMatchObject({ user_id: alice.id, group_id: groupId, file: { name: "a.txt", size: 3 } });
    expect(frames.some((frame) => frame["post_type"] === "message")).toBe(false);
    const { id, url: where } = z.object({ id: z.string(), url: z.string() }).parse(notice["file"]);
    expect(await (await fetch(where)).text()).toBe("tea");
    expect((await ask("get_group_file_url", { group_id: groupId, file_id: id }))["data"]).toEqual({ url: where });
    expect((await ask("get_file", { file_id: id }))["data"]).toMatchObject({ file_name: "a.txt", file_size: "3" });

    const name = image[0].image.file;
    await say(alice, [{ type: "image", data: { file_id: await upload(alice, "b.png", picture) } }]);
    const said = await told({ post_type: "message" });
    const data = { file: name, url: `${url}/download/${name}`, sub_type: "0" };
    expect(said).toMatchObject({ message: [{ type: "image", data }] });
    expect((await ask("get_image", { file: name }))["data"]).toMatchObject({ url: `${url}/download/${name}` });
    const again = await ask("send_group_msg", { group_id: groupId, message: said["message"] });
    expect(again).toMatchObject({ status: "ok" });
    expect(await ask("upload_group_file", { group_id: groupId, file: id, name: "b.txt" })).toMatchObject({
      retcode: 0,
    });
    expect((await stored()).slice(0, 2)).toMatchObject([{ content: [{ file: {} }] }, { content: [{ image: {} }] }]);
    const path = await ask("send_group_msg", {
      group_id: groupId,
      message: [{ type: "image", data: { file: "file:///etc/passwd" } }],
    });
    expect(path).toMatchObject({ status: "failed", retcode: 1400 });
  });

  it("recalls its messages, and gets recalls and the members who come and go", async () => {
    const { connect, say, telex, caller, alice, bob, bot, groupId, stored } = await start();
    const { ask, told } = await connect();
    const sent = sentOf(await ask("send_group_msg", { group_id: groupId, message: "oops" }));
    expect(await ask("delete_msg", sent)).toMatchObject({ status: "ok" });
    expect(await stored()).toMatchObject([{ content: [{ text: { text: "[消息已撤回]" } }] }]);
    const { messageId } = await say(alice, "oops too");
    expect(await ask("delete_msg", { message_id: messageId })).toMatchObject({ status: "failed", retcode: 1200 });
    await telex.messages.recall(await caller(alice), { groupId, messageId });
    expect(await told({ notice_type: "group_recall", message_id: messageId })).toMatchObject({
      user_id: alice.id,
      operator_id: alice.id,
    });

    await telex.operator.groups.amendMembers(operator, { groupId, remove: [bob.id] });
    expect(await told({ notice_type: "group_decrease" })).toMatchObject({ user_id: bob.id, group_id: groupId });
    await telex.operator.groups.amendMembers(operator, { groupId, add: [bob.id] });
    expect(await told({ notice_type: "group_increase" })).toMatchObject({ user_id: bob.id });
    await telex.operator.groups.amendMembers(operator, { groupId, remove: [bot.id] });
    expect(await told({ notice_type: "group_decrease", user_id: bot.id })).toMatchObject({ sub_type: "kick_me" });
    expect(await ask("get_group_info", { group_id: groupId })).toMatchObject({ retcode: 1404 });
  });

  it("gets the account's own messages only if the user wants it", async () => {
    const { connect, telex, bot, say, alice, groupId } = await start();
    const { ask, told, frames } = await connect();
    await ask("send_group_msg", { group_id: groupId, message: "one" });
    await say(alice, "after one");
    await told({ raw_message: "after one" });
    expect(frames.some((frame) => frame["post_type"] === "message_sent")).toBe(false);
    await telex.operator.users.amend(operator, { id: bot.id, oneBot: { self: true } });
    const other = await connect();
    await other.ask("get_status");
    await other.ask("send_group_msg", { group_id: groupId, message: "two" });
    expect(await other.told({ post_type: "message_sent" })).toMatchObject({ raw_message: "two", user_id: bot.id });
  });

  it("may use one socket for actions and one for events", async () => {
    const { connect, say, alice } = await start();
    const api = await connect(11, { path: "/api" });
    const events = await connect(11, { path: "/event/" });
    await say(alice, "hello");
    await events.told({ post_type: "message" });
    expect(await api.ask("get_status")).toMatchObject({ retcode: 0 });
    expect(api.frames).toHaveLength(1);
  });

  it("answers an event immediately by a quick operation, and does actions nobody waits for", async () => {
    const { connect, say, alice, stored, groupId } = await start();
    const { ask, told } = await connect();
    await say(alice, "hello");
    const context = await told({ post_type: "message" });
    await ask(".handle_quick_operation", { context, operation: { reply: "hi" } });
    expect(await stored()).toMatchObject([
      { content: [{ at: { name: "Alice" } }, { text: { text: " " } }, { text: { text: "hi" } }] },
      {},
    ]);
    expect(await ask("send_group_msg_async", { group_id: groupId, message: "later" })).toMatchObject({
      status: "async",
      retcode: 1,
    });
  });
});
