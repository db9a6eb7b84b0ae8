import { operator, TelexError } from "@telex/core";
import { createManualClock, ticks, until } from "@telex/conformance/testing";
import sharp from "sharp";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { createImplementation, type Seen } from "../src/testing/index.ts";
import { account, patience, start } from "./setup.ts";

async function scene(version: 11 | 12 = 11, options: Parameters<typeof start>[0] = {}) {
  const here = await start(options);
  const bot = createImplementation(version);
  await bot.connect(here.at(`/onebot/v${version}/ws`), { token: "secret" });
  await until(() => here.find()?.isOnline === true);
  /** Alice uploads a file. Answers its id. */
  const upload = async (bytes: Uint8Array, name: string): Promise<string> => {
    const chunks = (async function* () {
      yield bytes;
    })();
    const caller = await here.caller(here.alice);
    return (await here.telex.bucket.upload(caller, { file: { name, mime: "", bytes: chunks } })).file_id;
  };
  return { ...here, bot, upload };
}

const parts = (seen: Seen | undefined): unknown => seen?.params["message"];
const failed = (retcode: number) => () => ({ status: "failed", retcode, data: null, message: "no such thing" });

it("writes OneBot 11 with numbers as IDs, and 12 with strings", async () => {
  const eleven = await scene(11);
  await eleven.say([
    { type: "at", data: { ext: "7" } },
    { type: "text", data: { text: " hi" } },
  ]);
  expect(eleven.bot.seen).toEqual([
    {
      action: "send_group_msg",
      params: {
        group_id: 500,
        message: [
          { type: "at", data: { qq: "7" } },
          { type: "text", data: { text: " hi" } },
        ],
      },
    },
  ]);
  const twelve = await scene(12);
  await twelve.say([
    { type: "at", data: { ext: "all" } },
    { type: "text", data: { text: " hi" } },
  ]);
  expect(twelve.bot.seen).toEqual([
    {
      action: "send_message",
      params: {
        detail_type: "group",
        group_id: "500",
        message: [
          { type: "mention_all", data: {} },
          { type: "text", data: { text: " hi" } },
        ],
      },
      self: { platform: "qq", user_id: "9000" },
    },
  ]);
});

it("quotes what the network has by its id there", async () => {
  const { bot, say } = await scene();
  const { messageId } = await say("first");
  await say([
    { type: "reply", data: { messageId } },
    { type: "text", data: { text: "yes" } },
  ]);
  expect(parts(bot.seen.at(-1))).toEqual([
    { type: "reply", data: { id: "-2147302766" } },
    { type: "text", data: { text: "yes" } },
  ]);
});

it("sends to a person in a private chat", async () => {
  const { bot, alice, telex, caller } = await scene();
  const { groupId } = await telex.operator.groups.add(operator, {
    groupType: 5,
    name: "Private",
    members: [alice.id],
    ext: "1001",
    bot: "bot-1",
  });
  await telex.messages.send(await caller(alice), { groupId, groupType: 5, message: "hi" });
  expect(bot.seen).toEqual([
    { action: "send_private_msg", params: { user_id: 1001, message: [{ type: "text", data: { text: "hi" } }] } },
  ]);
});

describe("what the implementation answers", () => {
  it.each([
    [1200, "delivery_failed"],
    [1404, "delivery_failed"],
    [10_102, "bot_offline"],
  ])("retcode %i is %s", async (retcode, code) => {
    const { bot, say, find } = await scene();
    bot.answers.set("send_group_msg", failed(retcode));
    await expect(say("hello")).rejects.toMatchObject({ code });
    expect(find()?.isOnline).toBe(code !== "bot_offline");
  });

  it("is not known when the connection ends before it", async () => {
    const { bot, say } = await scene();
    bot.behave("silent");
    const code = say("hello").catch((cause: unknown) => TelexError.from(cause).code);
    await until(() => bot.seen.length > 0);
    bot.end();
    expect(await code).toBe("delivery_unknown");
    await expect(say("again")).rejects.toMatchObject({ code: "bot_offline" });
  });
});

it("leaves time between the starts of messages, and serves rooms in turn", async () => {
  const clock = createManualClock();
  const { bot, say } = await scene(11, { clock, accounts: [{ ...account, minInterval: 1200 }] });
  const sent = [say("one"), say("two")];
  await sent[0];
  await ticks();
  expect(bot.texts()).toEqual(["one"]);
  await clock.advance(1199);
  await ticks();
  expect(bot.texts()).toEqual(["one"]);
  await clock.advance(1);
  await sent[1];
  expect(bot.texts()).toEqual(["one", "two"]);
});

const png = () =>
  sharp({ create: { width: 2, height: 2, channels: 3, background: "red" } })
    .png()
    .toBuffer();

describe("pictures and files", () => {
  it("go into the frames of OneBot 11 as bytes; a file is an action of its own", async () => {
    const { bot, say, upload } = await scene();
    const picture = await png();
    const image = { type: "image" as const, data: { file_id: await upload(picture, "a.png") } };
    const file = {
      type: "file" as const,
      data: { file_id: await upload(Buffer.from("plain"), "a.txt"), name: "a.txt" },
    };
    await say([{ type: "text", data: { text: "look" } }, image, file]);
    expect(bot.seen).toMatchObject([
      {
        action: "send_group_msg",
        params: {
          message: [{ type: "text" }, { type: "image", data: { file: `base64://${picture.toString("base64")}` } }],
        },
      },
      { action: "upload_group_file", params: { group_id: 500, name: "a.txt", file: "base64://cGxhaW4=" } },
    ]);
  });

  it("are one message with their echo, which OneBot 11 tells by a name only", async () => {
    const { bot, say, upload, telex, caller, alice, groupId } = await scene();
    const file = {
      type: "file" as const,
      data: { file_id: await upload(Buffer.from("plain"), "a.txt"), name: "a.txt" },
    };
    bot.answers.set("upload_group_file", () => ({ status: "ok", retcode: 0, data: null }));
    const { messageId } = await say([file]);
    const notice = {
      post_type: "notice",
      notice_type: "group_upload",
      self_id: 9000,
      group_id: 500,
      time: 1_700_000_000,
    };
    bot.tell({ ...notice, user_id: 9000, file: { id: "/x", name: "a.txt", size: 5, busid: 1 } });
    bot.tell({ ...notice, user_id: 1001, file: { id: "/y", name: "a.txt", size: 5, busid: 1 } });
    const list = async () =>
      (await telex.messages.history(await caller(alice), { groupId, groupType: 4 })).groupMessages.map(
        ({ messageId: id, userId }) => [id, userId],
      );
    await vi.waitUntil(async () => (await list()).length >= 2, patience);
    expect(await list()).toEqual([
      [expect.any(Number), "1001"],
      [messageId, String(alice.id)],
    ]);
  });

  it("are one message with all that tells them: a message of the own account, and a notice, for each of the same name", async () => {
    const { bot, say, upload, telex, caller, alice, groupId } = await scene();
    const file = {
      type: "file" as const,
      data: { file_id: await upload(Buffer.from("plain"), "a.txt"), name: "a.txt" },
    };
    bot.answers.set("upload_group_file", () => ({ status: "ok", retcode: 0, data: null }));
    const sent = [await say([file]), await say([file])].map(({ messageId }) => messageId);
    const place = { self_id: 9000, group_id: 500, time: 1_700_000_000 };
    const tell = (id: number, user_id: number): void => {
      const message = [{ type: "file", data: { file: "a.txt", file_id: `/f${id}`, file_size: "5" } }];
      const post_type = user_id === 9000 ? "message_sent" : "message";
      bot.tell({ ...place, user_id, post_type, message_type: "group", message_id: id, message });
      const notice = { ...place, user_id, post_type: "notice", notice_type: "group_upload" };
      bot.tell({ ...notice, file: { id: `/f${id}`, name: "a.txt", size: 5, busid: 1 } });
    };
    tell(71, 9000);
    tell(72, 9000);
    tell(73, 1001);
    bot.say("the end");
    const list = async () =>
      (await telex.messages.history(await caller(alice), { groupId, groupType: 4 })).groupMessages.toReversed();
    await vi.waitUntil(async () => (await list()).some(({ content }) => content.includes("the end")), patience);
    const stored = (await list()).map(({ messageId, userId }) => [messageId, userId]);
    expect(stored).toEqual([
      ...sent.map((messageId) => [messageId, String(alice.id)]),
      [expect.any(Number), "1001"],
      [expect.any(Number), "1001"],
    ]);
  });

  it("that fail after the text leave the text, which the network has, and no echo of the file is another message", async () => {
    const { bot, say, upload, telex, caller, alice, groupId } = await scene();
    const file = {
      type: "file" as const,
      data: { file_id: await upload(Buffer.from("plain"), "a.txt"), name: "a.txt" },
    };
    bot.answers.set("upload_group_file", failed(1200));
    await expect(say([{ type: "text", data: { text: "look" } }, file])).rejects.toMatchObject({
      code: "delivery_unknown",
      reason: "bot_partly",
    });
    const room = {
      post_type: "notice",
      notice_type: "group_upload",
      self_id: 9000,
      group_id: 500,
      time: 1_700_000_000,
    };
    bot.tell({ ...room, user_id: 9000, file: { id: "/x", name: "a.txt", size: 5, busid: 1 } });
    bot.tell({ ...room, user_id: 1001, file: { id: "/y", name: "b.txt", size: 5, busid: 1 } });
    const list = async () =>
      (await telex.messages.history(await caller(alice), { groupId, groupType: 4 })).groupMessages.toReversed();
    await vi.waitUntil(async () => (await list()).some(({ userId }) => userId === "1001"), patience);
    expect(await list()).toMatchObject([
      { userId: String(alice.id), type: 0, content: '[{"text":{"text":"look"}}]' },
      { userId: "1001" },
    ]);
    await expect(say([file])).rejects.toMatchObject({ code: "delivery_failed" });
  });

  it("are served as files of the external network", async () => {
    const { bot, say, upload, telex, caller, alice, groupId, url, room } = await scene();
    bot.answers.set("upload_group_file", () => ({ status: "ok", retcode: 0, data: null, message: "" }));
    const file = {
      type: "file" as const,
      data: { file_id: await upload(Buffer.from("plain"), "a.txt"), name: "a.txt" },
    };
    await say([file]);
    const segment = z.tuple([z.object({ file: z.object({ relativePath: z.string(), isEXT: z.string() }) })]);
    const lastOf = async (id: number, groupType: 1 | 4) => {
      const { groupMessages } = await telex.messages.history(await caller(alice), { groupId: id, groupType });
      return segment.parse(JSON.parse(groupMessages[0]?.content ?? ""))[0].file;
    };
    const get = async (path: string, place: string) =>
      fetch(`${url}/downloadFile/${Buffer.from(path).toString("base64url")}/${place}/a.txt`);
    const { relativePath, isEXT } = await lastOf(groupId, 4);
    expect(isEXT).toBe("1");
    expect(await (await get(relativePath, "ext")).text()).toBe("plain");
    expect((await get(relativePath, "local")).status).toBe(404);
    const inside = await room([alice], { groupType: 1 });
    await telex.messages.send(await caller(alice), { groupId: inside, groupType: 1, message: [file] });
    const own = await lastOf(inside, 1);
    expect(own.isEXT).toBe("0");
    expect(await (await get(own.relativePath, "local")).text()).toBe("plain");
    expect((await get(own.relativePath, "ext")).status).toBe(404);
  });

  it("are uploaded once to OneBot 12, and then named", async () => {
    const { bot, say, upload } = await scene(12);
    const picture = await png();
    const image = { type: "image" as const, data: { file_id: await upload(picture, "a.png") } };
    bot.answers.set("upload_file", () => ({ status: "ok", retcode: 0, data: { file_id: "f-1" }, message: "" }));
    await say([image]);
    await say([image]);
    expect(bot.seen.map(({ action }) => action)).toEqual(["upload_file", "send_message", "send_message"]);
    expect(bot.seen[0]?.params).toMatchObject({ type: "data", data: picture.toString("base64") });
    expect(parts(bot.seen[2])).toEqual([{ type: "image", data: { file_id: "f-1" } }]);
  });

  it("are uploaded again to OneBot 12 after a message with them has failed, and to one that has connected again", async () => {
    const here = await scene(12);
    const { bot, say, upload } = here;
    const image = { type: "image" as const, data: { file_id: await upload(await png(), "a.png") } };
    const answer = (file_id: string) => () => ({ status: "ok", retcode: 0, data: { file_id }, message: "" });
    bot.answers.set("upload_file", answer("f-1"));
    await say([image]);
    bot.answers.set("upload_file", answer("f-2"));
    bot.behave("refuse");
    await expect(say([image])).rejects.toMatchObject({ code: "delivery_failed" });
    bot.behave("take");
    await say([image]);
    bot.end();
    await until(() => here.find()?.isOnline === false);
    const next = createImplementation(12, { lastId: 100 });
    next.answers.set("upload_file", answer("f-3"));
    await next.connect(here.at("/onebot/v12/ws"), { token: "secret" });
    await until(() => here.find()?.isOnline === true);
    await say([image]);
    const sent = [...bot.seen, ...next.seen].filter(({ action }) => action === "send_message").map(parts);
    expect(sent).toEqual(["f-1", "f-2", "f-3"].map((file_id) => [{ type: "image", data: { file_id } }]));
  });

  it("are not named to a program that has connected since they were uploaded", async () => {
    const clock = createManualClock();
    const here = await scene(12, { clock, accounts: [{ ...account, minInterval: 1200 }] });
    const { bot, say, upload } = here;
    const image = { type: "image" as const, data: { file_id: await upload(await png(), "a.png") } };
    bot.answers.set("upload_file", () => ({ status: "ok", retcode: 0, data: { file_id: "f-1" }, message: "" }));
    await say("one");
    const waiting = say([image]).catch((cause: unknown) => TelexError.from(cause).code);
    await until(() => bot.seen.some(({ action }) => action === "upload_file"));
    await ticks();
    bot.end();
    await until(() => here.find()?.isOnline === false);
    const next = createImplementation(12, { lastId: 100 });
    await next.connect(here.at("/onebot/v12/ws"), { token: "secret" });
    await until(() => here.find()?.isOnline === true);
    await clock.advance(1200);
    expect(await waiting).toBe("bot_offline");
    expect([...bot.seen, ...next.seen].filter(({ action }) => action === "send_message")).toHaveLength(1);
  });

  it("are not left out silently where OneBot 12 takes no uploads", async () => {
    const { bot, say, upload } = await scene(12);
    const image = { type: "image" as const, data: { file_id: await upload(await png(), "a.png") } };
    bot.answers.set("upload_file", failed(10_002));
    await expect(say([{ type: "text", data: { text: "look" } }, image])).rejects.toMatchObject({
      code: "delivery_failed",
    });
    expect(bot.texts()).toEqual([]);
  });
});
