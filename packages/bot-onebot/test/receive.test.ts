import { createHash } from "node:crypto";
import { ticks, until } from "@telex/conformance/testing";
import { createMemoryStorage } from "@telex/storage-memory";
import sharp from "sharp";
import { expect, it, vi } from "vitest";
import { createImplementation } from "../src/testing/index.ts";
import { start } from "./setup.ts";

/** A room, and its implementation of a version. */
async function scene(version: 11 | 12 = 11, storage = createMemoryStorage()) {
  const here = await start({}, storage);
  const bot = createImplementation(version);
  await bot.connect(here.at(`/onebot/v${version}/ws`), { token: "secret" });
  await until(() => here.find()?.isOnline === true);
  /** A page of the room, oldest first. */
  const page = async (cursor?: number) => {
    const input = { groupId: here.groupId, groupType: 4 as const, pageSize: 100, cursor };
    const { groupMessages, nextPageCursor } = await here.telex.messages.history(await here.caller(here.alice), input);
    const list = groupMessages.map(({ content, ...rest }) => ({ ...rest, content: JSON.parse(content) as unknown }));
    return { list: list.toReversed(), next: nextPageCursor };
  };
  /** The messages of the room, once it has this number of them. */
  const messages = async (count: number) => {
    for (;;) {
      const { list } = await page();
      if (list.length >= count) return list;
      await ticks(1);
    }
  };
  return { ...here, bot, messages, page };
}

const said = (fields: object) => ({
  post_type: "message",
  message_type: "group",
  message_id: 77,
  self_id: 9000,
  group_id: 500,
  user_id: 1001,
  time: 1_700_000_000,
  sender: { nickname: "nick", card: "" },
  ...fields,
});

it("stores a message of OneBot 11 with its sender, its time and its parts", async () => {
  const { bot, messages } = await scene();
  bot.tell(
    said({
      message_id: -2_147_302_767,
      sender: { nickname: "nick", card: "Card" },
      message: [
        { type: "reply", data: { id: "5" } },
        { type: "at", data: { qq: 7 } },
        { type: "text", data: { text: " hi" } },
        { type: "face", data: { id: "1" } },
        { type: "at", data: { qq: "all" } },
        { type: "dice", data: null },
      ],
    }),
  );
  const [message] = await messages(1);
  expect(message).toMatchObject({
    userId: "1001",
    nickname: "Card",
    createTime: 1_700_000_000_000,
    content: [
      { reply: { id: "5", messageId: "" } },
      { at: { ext: "7", name: "Card" } },
      { text: { text: " hi" } },
      { text: { text: "[表情]" } },
      { at: { ext: "all" } },
      { text: { text: "[骰子]" } },
    ],
  });
});

it("reads a message that is one string with CQ codes", async () => {
  const { bot, messages } = await scene();
  bot.tell(said({ message: "[CQ:at,qq=all] a &#91;b&#93; &amp;#44; [CQ:image,file=x.png,url=]c[CQ:face]" }));
  const [message] = await messages(1);
  expect(message?.content).toMatchObject([
    { at: { ext: "all" } },
    { text: { text: " a [b] &#44; " } },
    { image: { file: "" } },
    { text: { text: "c" } },
    { text: { text: "[表情]" } },
  ]);
});

it("stores a picture that comes as bytes, and refuses addresses of its own network", async () => {
  const { bot, messages, url, log } = await scene();
  const png = await sharp({ create: { width: 2, height: 2, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const md5 = createHash("md5").update(png).digest("hex");
  bot.tell(
    said({ message: [{ type: "image", data: { file: `base64://${png.toString("base64")}`, summary: "[pic]" } }] }),
  );
  bot.tell(said({ message_id: 78, message: [{ type: "image", data: { file: "x.png", url: `${url}/openapi.json` } }] }));
  const [inBytes, inside] = await messages(2);
  expect(inBytes?.content).toMatchObject([
    { image: { file: `${md5}.png`, summary: "[pic]", file_size: String(png.length) } },
  ]);
  expect(inside?.content).toMatchObject([{ image: { file: "" } }]);
  expect(log.lines.some((line) => line.includes("gateway.media_lost"))).toBe(true);
  const download = await fetch(`${url}/download/${md5}.png`);
  expect(Buffer.from(await download.arrayBuffer()).equals(png)).toBe(true);
});

it("asks for the names that OneBot 12 does not tell, and for the bytes of files, and serves them", async () => {
  const storage = createMemoryStorage();
  const { bot, messages, groupId, url } = await scene(12, storage);
  bot.answers.set("get_file", () => ({
    status: "ok",
    retcode: 0,
    data: { data: Buffer.from("plain").toString("base64") },
  }));
  const event = { id: "e", type: "message", detail_type: "group", sub_type: "", group_id: "500", alt_message: "" };
  const self = { platform: "qq", user_id: "9000" };
  bot.tell({
    ...event,
    self,
    time: 1_700_000_000.25,
    message_id: "m1",
    user_id: "1001",
    message: [
      { type: "mention", data: { user_id: "7" } },
      { type: "mention_all", data: {} },
      { type: "file", data: { file_id: "f9", name: "a.txt" } },
      { type: "voice", data: { file_id: "f8" } },
    ],
  });
  const [message] = await messages(1);
  expect(message).toMatchObject({
    nickname: "Card",
    createTime: 1_700_000_000_250,
    content: [
      { at: { ext: "7", name: "Card" } },
      { at: { ext: "all" } },
      { file: { file: "a.txt" } },
      { text: { text: "[语音]" } },
    ],
  });
  const [relativePath = ""] = await storage.messages.listFiles(groupId, message?.messageId ?? 0);
  const path = Buffer.from(relativePath).toString("base64url");
  const file = await fetch(`${url}/downloadFile/${path}/ext/a.txt`);
  expect([file.status, await file.text()]).toEqual([200, "plain"]);
  expect((await fetch(`${url}/downloadFile/${path}/local/a.txt`)).status).toBe(404);
});

it.each(["constructor", "__proto__", "toString"])("shows a part of the type %s by its name", async (type) => {
  const { bot, messages } = await scene();
  bot.tell(
    said({
      message: [
        { type, data: {} },
        { type: "text", data: { text: " hi" } },
      ],
    }),
  );
  const [message] = await messages(1);
  expect(message?.content).toEqual([{ text: { text: `[${type}]` } }, { text: { text: " hi" } }]);
});

it("takes a time that can only be milliseconds for milliseconds", async () => {
  const { bot, messages } = await scene();
  bot.tell(said({ message_id: 1, time: 1_700_000_000_123, message: "in milliseconds" }));
  bot.tell(said({ message_id: 2, time: 1_700_000_001, message: "in seconds" }));
  expect((await messages(2)).map(({ createTime }) => createTime)).toEqual([1_700_000_000_123, 1_700_000_001_000]);
});

it.each([1_700_000_000_123_456, 1.7e18, 99_999_999_999])(
  "takes a time of %d, which is long after now, for now",
  async (time) => {
    const { bot, messages } = await scene();
    const before = Date.now();
    bot.tell(said({ message_id: 1, time, message: "later" }));
    const [message] = await messages(1);
    expect(message?.createTime).toBeGreaterThanOrEqual(before);
    expect(message?.createTime).toBeLessThanOrEqual(Date.now());
  },
);

it("cuts a text that is too long before half a character", async () => {
  const { bot, messages } = await scene();
  bot.tell(said({ message: `${"x".repeat(9999)}😀` }));
  const [message] = await messages(1);
  expect(message?.content).toEqual([{ text: { text: "x".repeat(9999) } }]);
});

it("stores what is pushed again once, and what the account's owner types elsewhere", async () => {
  const { bot, messages } = await scene();
  const first = said({ message: [{ type: "text", data: { text: "one" } }] });
  bot.tell(first);
  bot.tell(first);
  bot.tell(said({ message_id: 80, user_id: 9000, message: [{ type: "text", data: { text: "typed elsewhere" } }] }));
  const list = await messages(2);
  expect(list.map(({ userId, content }) => [userId, content])).toEqual([
    ["1001", [{ text: { text: "one" } }]],
    ["9000", [{ text: { text: "typed elsewhere" } }]],
  ]);
});

it("survives frames that mean nothing, and logs each cause once", async () => {
  const { bot, messages, log, find } = await scene();
  const odd = [1, "x", null, [], {}, { post_type: "message" }, { post_type: "notice", notice_type: "poke" }];
  for (let round = 0; round < 20; round += 1) {
    for (const frame of odd) bot.tell(frame);
    bot.tell(said({ message: 5 }));
    bot.tell(said({ group_id: undefined, message: [] }));
    bot.tell({ status: "ok", retcode: 0, data: null, echo: "nobody asked" });
    bot.tell({ status: "failed", retcode: "x", echo: 5 });
  }
  bot.say("still here");
  const [message] = await messages(1);
  expect(message?.content).toEqual([{ text: { text: "still here" } }]);
  expect(find()?.isOnline).toBe(true);
  const faults = log.lines.filter((line) => line.includes("onebot."));
  expect(faults.map((line) => /"code":"(\w+)"/.exec(line)?.[1])).toEqual(["malformed_frame", "malformed_event"]);
});

it("ignores frames with so many values that reading them would block others", async () => {
  const { bot, messages, log } = await scene();
  const many = Array.from({ length: 200_000 }, () => 0);
  bot.tell({ ...said({ message: "too much" }), many });
  bot.say("still here");
  const [message] = await messages(1);
  expect(message?.content).toEqual([{ text: { text: "still here" } }]);
  expect(log.lines.some((line) => line.includes("oversized_frame"))).toBe(true);
});

it("stores a flood whole and in order", async () => {
  const { bot, messages, page } = await scene();
  const count = 1500;
  for (let index = 1; index <= count; index += 1) bot.say(String(index));
  const isLast = (list: readonly { readonly content: unknown }[]) =>
    JSON.stringify(list.at(-1) ?? "").includes(`"${count}"`);
  await vi.waitUntil(async () => isLast((await page()).list), { timeout: 50_000 });
  const texts: unknown[] = [];
  for (let at: string | null = ""; at !== null;) {
    const { list, next } = await page(at === "" ? undefined : Number(at));
    texts.unshift(...list.map(({ content }) => content));
    at = next;
  }
  expect(await messages(1)).toHaveLength(100);
  expect(texts).toEqual(Array.from({ length: count }, (_, index) => [{ text: { text: String(index + 1) } }]));
});
