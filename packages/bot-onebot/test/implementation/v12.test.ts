import { createHash } from "node:crypto";
import { operator } from "@telex/core";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Frame, start } from "./setup.ts";

const picture = await sharp({ create: { width: 2, height: 2, channels: 3, background: "blue" } })
  .png()
  .toBuffer();

const fileOf = ({ data }: Frame): string => z.object({ file_id: z.string() }).parse(data).file_id;

describe("a framework that speaks OneBot 12", () => {
  it("is greeted by connect and the state, and learns who it is, and who is there", async () => {
    const { connect, bot, alice, groupId } = await start();
    const { ask, told, frames } = await connect(12);
    await told({ detail_type: "status_update" });
    expect(frames.slice(0, 2)).toMatchObject([
      { type: "meta", detail_type: "connect", version: { impl: "telex", onebot_version: "12" } },
      { status: { good: true, bots: [{ self: { platform: "telex", user_id: String(bot.id) }, online: true }] } },
    ]);
    const data = async (action: string, params: object = {}) => (await ask(action, params))["data"];
    expect(await data("get_self_info")).toMatchObject({ user_id: String(bot.id), user_name: "Bot" });
    expect(await data("get_version")).toMatchObject({ impl: "telex" });
    expect(await data("get_supported_actions")).toContain("upload_file_fragmented");
    expect(await data("get_friend_list")).toMatchObject([{ user_id: String(alice.id) }]);
    expect(await data("get_group_list")).toMatchObject([{ group_id: String(groupId) }]);
    const group_id = String(groupId);
    expect(await data("get_group_member_list", { group_id })).toHaveLength(3);
    expect(await data("get_group_member_info", { group_id, user_id: String(alice.id) })).toMatchObject({
      user_name: "Alice",
    });
  });

  it("hears and says texts, mentions and quotes, and recalls", async () => {
    const { connect, say, telex, caller, alice, bob, groupId, stored } = await start();
    const { ask, told } = await connect(12);
    const { messageId } = await say(alice, [
      { type: "at", data: { ext: "all" } },
      { type: "text", data: { text: " hi" } },
    ]);
    expect(await told({ type: "message" })).toMatchObject({
      detail_type: "group",
      group_id: String(groupId),
      message_id: String(messageId),
      message: [
        { type: "mention_all", data: {} },
        { type: "text", data: { text: " hi" } },
      ],
      alt_message: "@全体成员 hi",
    });
    const sent = await ask("send_message", {
      detail_type: "group",
      group_id: String(groupId),
      message: [
        { type: "reply", data: { message_id: String(messageId), user_id: String(alice.id) } },
        { type: "mention", data: { user_id: String(bob.id) } },
        { type: "text", data: { text: " yes" } },
      ],
    });
    const { message_id } = z.object({ message_id: z.string() }).parse(sent["data"]);
    expect((await stored())[0]?.content).toMatchObject([{ reply: {} }, { at: { name: "Bob" } }, { text: {} }]);
    expect(await ask("delete_message", { message_id })).toMatchObject({ status: "ok" });
    await telex.messages.recall(await caller(alice), { groupId, messageId });
    expect(await told({ detail_type: "group_message_delete", message_id: String(messageId) })).toMatchObject({
      sub_type: "recall",
      operator_id: String(alice.id),
    });
    await telex.operator.groups.amendMembers(operator, { groupId, remove: [bob.id] });
    expect(await told({ detail_type: "group_member_decrease" })).toMatchObject({ user_id: String(bob.id) });
  });

  it("uploads in one piece and in several, sends what it has uploaded, and gets files back", async () => {
    const { connect, groupId, stored, say, upload, alice } = await start();
    const { ask, told } = await connect(12);
    const image = fileOf(await ask("upload_file", { type: "data", name: "a.png", data: picture.toString("base64") }));
    const bytes = Buffer.from("0123456789");
    const stage = (params: object) => ask("upload_file_fragmented", params);
    const staged = fileOf(await stage({ stage: "prepare", name: "b.txt", total_size: 10 }));
    const piece = (offset: number, end: number) =>
      stage({ stage: "transfer", file_id: staged, offset, data: bytes.subarray(offset, end).toString("base64") });
    expect(await piece(0, 4)).toMatchObject({ status: "ok" });
    expect(await piece(6, 10)).toMatchObject({ status: "failed", retcode: 10_003 });
    expect(await piece(4, 10)).toMatchObject({ status: "ok" });
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const file = fileOf(await stage({ stage: "finish", file_id: staged, sha256 }));
    const message = [image, file].map((file_id, index) => ({
      type: index === 0 ? "image" : "file",
      data: { file_id },
    }));
    const sent = await ask("send_message", { detail_type: "group", group_id: String(groupId), message });
    expect(sent).toMatchObject({ status: "ok" });
    const path = expect.stringMatching(/\/b\.txt$/) as unknown;
    expect(await stored()).toMatchObject([{ content: [{ image: {} }, { file: { relativePath: path } }] }]);

    await say(alice, [{ type: "file", data: { file_id: await upload(alice, "c.txt", bytes), name: "c.txt" } }]);
    const said = z
      .object({ message: z.tuple([z.object({ type: z.literal("file"), data: z.object({ file_id: z.string() }) })]) })
      .parse(await told({ type: "message" }));
    const { file_id } = said.message[0].data;
    expect((await ask("get_file", { file_id, type: "data" }))["data"]).toEqual({
      name: "c.txt",
      data: bytes.toString("base64"),
      sha256,
    });
    const url = z.object({ url: z.string() }).parse((await ask("get_file", { file_id, type: "url" }))["data"]).url;
    expect(await (await fetch(url)).text()).toBe("0123456789");
    const pieces = (params: object) => ask("get_file_fragmented", { file_id, ...params });
    expect((await pieces({ stage: "prepare" }))["data"]).toEqual({ name: "c.txt", total_size: 10, sha256 });
    expect((await pieces({ stage: "transfer", offset: 3, size: 2 }))["data"]).toEqual({
      data: Buffer.from("34").toString("base64"),
    });
    expect(await ask("get_file", { file_id, type: "path" })).toMatchObject({ retcode: 10_003 });

    const again = [{ type: "file", data: { file_id } }];
    await ask("send_message", { detail_type: "group", group_id: String(groupId), message: again });
    expect(JSON.stringify(await stored()).match(/\/c\.txt"/g)).toHaveLength(2);
  });
});
