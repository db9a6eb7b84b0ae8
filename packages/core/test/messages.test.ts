import { describe, expect, it } from "vitest";
import sharp from "sharp";
import { createMemoryStorage } from "@telex/storage-memory";
import type { LiveEvent } from "../src/instance/live-events.ts";
import type { MessageStore } from "../src/messages/store.ts";
import { createConnection, createKit, fileOf, type Kit, segmentsOf } from "./kit.ts";
import { ticks } from "@telex/conformance/testing";

const say = ({ telex, room }: Kit, caller: Kit["alice"], message: string, nonce?: string) =>
  telex.messages.send(caller, { groupId: room, groupType: 1, message, ...(nonce === undefined ? {} : { nonce }) });

const history = ({ telex, room, alice }: Kit, input: { cursor?: string; pageSize?: number } = {}) =>
  telex.messages.history(alice, { groupId: room, groupType: 1, ...input });

const contents = (messages: readonly { readonly content: string }[]): unknown[] =>
  messages.map((message) => segmentsOf(message)[0]?.["text"]?.["text"]);

describe("sending to a room", () => {
  it("stores the message with its pinyin, names and times", async () => {
    const kit = await createKit();
    const sent = await say(kit, kit.bob, "你好, world");
    const { groupMessages } = await history(kit);
    expect(sent.createTime).toBe(kit.clock.now());
    expect(groupMessages).toEqual([
      {
        id: String(sent.messageId),
        messageId: sent.messageId,
        groupId: kit.room,
        groupType: 1,
        userId: "2",
        type: 0,
        content: '[{"text":{"text":"你好, world"}}]',
        pinyin: '[{"text":{"text":"ni3 hao3, world"}}]',
        groupName: "测试房间",
        groupNamePinyin: "ce4 shi4 fang2 jian1",
        createTime: kit.clock.now(),
        receiveTime: "2026-11-20T08:15:30.123+00:00",
        nickname: "鲍勃",
        nicknamePinyin: "bao4 bo2",
        avatar: "/api/avatar/get/personal?id=2",
      },
    ]);
  });

  it("answers a repeated nonce with the first result and stores once", async () => {
    const kit = await createKit();
    const [first, second] = await Promise.all([say(kit, kit.alice, "one", "n"), say(kit, kit.alice, "one", "n")]);
    expect(second).toEqual(first);
    await expect(say(kit, kit.alice, "two", "n")).rejects.toMatchObject({ code: "nonce_conflict" });
    expect((await history(kit)).groupMessages).toHaveLength(1);
    await expect(say(kit, kit.bob, "two", "n")).resolves.toMatchObject({});
  });

  it("forgets a nonce after a day", async () => {
    const kit = await createKit();
    const first = await say(kit, kit.alice, "one", "n");
    await kit.clock.advance(24 * 3_600_000 + 1);
    expect((await say(kit, kit.alice, "one", "n")).messageId).toBeGreaterThan(first.messageId);
  });

  it.each([
    ["", "", "empty_message"],
    ["x".repeat(5000), "😀".repeat(5001), "text_too_long"],
  ])("refuses the texts %.5j and %.5j with %s", async (one, other, reason) => {
    const { telex, alice, room } = await createKit();
    const message = [one, other].map((text) => ({ type: "text" as const, data: { text } }));
    const sent = telex.messages.send(alice, { groupId: room, groupType: 1, message });
    await expect(sent).rejects.toMatchObject({ code: "invalid_request", reason });
  });

  it("counts a text by code points: 10,000 of them are taken", async () => {
    const kit = await createKit();
    await expect(say(kit, kit.alice, "😀".repeat(10_000))).resolves.toMatchObject({});
    await expect(say(kit, kit.alice, "😀".repeat(10_001))).rejects.toMatchObject({
      issues: [{ path: "message", problem: "too_long", params: { max: "10000" } }],
    });
  });

  it("takes 100 segments and no more", async () => {
    const { telex, alice, room } = await createKit();
    const send = (count: number) =>
      telex.messages.send(alice, {
        groupId: room,
        groupType: 1,
        message: Array.from({ length: count }, () => ({ type: "text" as const, data: { text: "a" } })),
      });
    await expect(send(100)).resolves.toMatchObject({});
    await expect(send(101)).rejects.toMatchObject({
      issues: [{ path: "message", problem: "too_many", params: { max: "100" } }],
    });
  });

  it("refuses who is no member, a room that does not exist and a wrong type", async () => {
    const kit = await createKit();
    const { telex, carol, alice, room } = kit;
    await expect(say(kit, carol, "hi")).rejects.toMatchObject({ code: "group_not_found", reason: undefined });
    await expect(telex.messages.send(alice, { groupId: 99, groupType: 1, message: "a" })).rejects.toMatchObject({
      code: "group_not_found",
    });
    await expect(telex.messages.send(alice, { groupId: room, groupType: 2, message: "a" })).rejects.toMatchObject({
      code: "group_not_found",
      reason: "group_type_wrong",
    });
  });

  it("builds images, files, mentions and replies", async () => {
    const kit = await createKit();
    const { telex, alice, room } = kit;
    const png = await sharp({ create: { width: 4, height: 4, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const image = await telex.bucket.upload(alice, { file: fileOf(png, "red.png") });
    const file = await telex.bucket.upload(alice, { file: fileOf("text", "note.txt", "text/plain") });
    const first = await say(kit, kit.bob, "first");
    await telex.messages.send(alice, {
      groupId: room,
      groupType: 1,
      message: [
        { type: "reply", data: { messageId: first.messageId } },
        { type: "at", data: { ext: "10002" } },
        { type: "at", data: { ext: "all" } },
        { type: "at", data: { ext: "777" } },
        { type: "text", data: { text: "" } },
        { type: "image", data: { file_id: image.file_id } },
        { type: "file", data: { file_id: file.file_id, name: "../no/te.txt" } },
      ],
    });
    const [message] = (await history(kit)).groupMessages;
    expect(message?.type).toBe(3);
    const segments = message === undefined ? [] : segmentsOf(message);
    expect(segments.slice(0, 5)).toEqual([
      { reply: { id: "", messageId: String(first.messageId) } },
      { at: { ext: "10002", name: "鲍勃" } },
      { at: { ext: "all", name: "全体成员" } },
      { at: { ext: "777", name: "" } },
      { image: { file: `${image.file_id}.png`, summary: "", sub_type: "0", file_size: String(png.length) } },
    ]);
    expect(segments[5]?.["file"]?.["relativePath"]).toMatch(/^[0-9a-f]{32}\/_no_te\.txt$/);
    expect(segments[5]?.["file"]?.["isEXT"]).toBe("0");
    const path = Buffer.from(segments[5]?.["file"]?.["relativePath"] ?? "").toString("base64url");
    const download = await telex.bucket.downloadFile(kit.bob, { path, where: "local", name: "note.txt" });
    expect(download).toMatchObject({ inline: false, size: 4, mime: "text/plain" });
  });

  it("tells a user from an ID of the network that looks like one", async () => {
    const { telex, alice, room } = await createKit();
    const message = [
      { type: "at" as const, data: { ext: "user 3" } },
      { type: "at" as const, data: { userId: 3 } },
    ];
    await expect(telex.messages.send(alice, { groupId: room, groupType: 1, message })).rejects.toMatchObject({
      code: "user_not_found",
    });
  });

  it("takes files only from who uploaded them", async () => {
    const { telex, alice, bob, room } = await createKit();
    const { file_id } = await telex.bucket.upload(bob, { file: fileOf("bob's") });
    const send = telex.messages.send(alice, {
      groupId: room,
      groupType: 1,
      message: [{ type: "file", data: { file_id } }],
    });
    await expect(send).rejects.toMatchObject({ code: "file_not_found", reason: "file_foreign" });
  });

  it("finds every bot offline where there is none, and stores nothing", async () => {
    const { telex, alice } = await createKit();
    const { groupId } = await telex.operator.groups.add(
      { kind: "operator" },
      { groupType: 0, name: "x", members: [1] },
    );
    await expect(telex.messages.send(alice, { groupId, groupType: 0, message: "a" })).rejects.toMatchObject({
      code: "bot_offline",
    });
    expect((await telex.messages.history(alice, { groupId, groupType: 0 })).groupMessages).toEqual([]);
  });
});

describe("history", () => {
  it("shows every message once, whatever arrives meanwhile, and finds the way back", async () => {
    const kit = await createKit();
    for (let index = 1; index <= 25; index += 1) await say(kit, kit.alice, `m${index}`);
    const first = await history(kit);
    expect(first).toMatchObject({ currentPage: 1, totalPage: 3, previousPageCursor: null });
    await say(kit, kit.alice, "late");
    const second = await history(kit, { cursor: first.nextPageCursor ?? "" });
    const third = await history(kit, { cursor: second.nextPageCursor ?? "" });
    expect(third.nextPageCursor).toBeNull();
    expect(contents([...first.groupMessages, ...second.groupMessages, ...third.groupMessages])).toEqual(
      Array.from({ length: 25 }, (_, index) => `m${25 - index}`),
    );
    const back = await history(kit, { cursor: third.previousPageCursor ?? "" });
    expect(back.groupMessages).toEqual(second.groupMessages);
  });

  it("counts pages by what is above and below", async () => {
    const kit = await createKit();
    for (let index = 1; index <= 7; index += 1) await say(kit, kit.alice, `m${index}`);
    const page = await history(kit, { pageSize: 3 });
    const next = await history(kit, { pageSize: 3, cursor: page.nextPageCursor ?? "" });
    expect(next).toMatchObject({ currentPage: 2, totalPage: 3 });
    expect(next.previousPageCursor).toBe(String(Number(page.groupMessages[0]?.id) + 1));
    const latest = await history(kit, { pageSize: 3, cursor: next.previousPageCursor ?? "" });
    expect(latest).toMatchObject({ currentPage: 1, previousPageCursor: null });
  });

  it("is one empty page for an empty room", async () => {
    const kit = await createKit();
    expect(await history(kit)).toEqual({
      currentPage: 1,
      totalPage: 1,
      nextPageCursor: null,
      previousPageCursor: null,
      groupMessages: [],
    });
  });
});

describe("the mirror", () => {
  const connect = (kit: Kit, caller: Kit["alice"], options: { echo?: boolean; since?: number } = {}) => {
    const end = createConnection(caller);
    kit.telex.attach(end.connection);
    const listening = kit.telex.listen(end.connection, { echo: options.echo ?? false, since: options.since ?? null });
    return { ...end, ...listening };
  };
  const told = (events: readonly LiveEvent[]): unknown[] =>
    events.map(({ kind, data }) => (kind === "message" ? contents([data])[0] : data));

  it("reaches the other members, and the sender's other connections with echo", async () => {
    const kit = await createKit();
    const ends = {
      bob: connect(kit, kit.bob),
      carol: connect(kit, kit.carol),
      quiet: connect(kit, kit.alice),
      echo: connect(kit, kit.alice, { echo: true }),
      origin: connect(kit, kit.alice, { echo: true }),
    };
    await ticks();
    await kit.telex.messages.send(
      kit.alice,
      { groupId: kit.room, groupType: 1, message: "hi" },
      { origin: ends.origin.connection },
    );
    await ticks();
    expect(Object.entries(ends).map(([name, { events }]) => [name, told(events)])).toEqual([
      ["bob", ["hi"]],
      ["carol", []],
      ["quiet", []],
      ["echo", ["hi"]],
      ["origin", []],
    ]);
  });

  it("joins what is sent in one turn into one write, in the order of the ids", async () => {
    const kit = await createKit();
    const bob = connect(kit, kit.bob);
    await ticks();
    await Promise.all(Array.from({ length: 50 }, (_, index) => say(kit, kit.alice, `m${index}`)));
    await ticks();
    const ids = bob.events.map(({ data }) => ("messageId" in data ? data.messageId : 0));
    expect(ids).toHaveLength(50);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(bob.writes.length).toBeLessThan(5);
  });

  it("replays what was missed since an id, then goes on without a hole or a double", async () => {
    const kit = await createKit();
    const { messageId } = await say(kit, kit.alice, "known");
    for (let index = 1; index <= 250; index += 1) await say(kit, kit.alice, `m${index}`);
    const bob = connect(kit, kit.bob, { since: messageId });
    const during = Array.from({ length: 20 }, (_, index) => say(kit, kit.alice, `n${index}`));
    await Promise.all([bob.ready, ...during]);
    await ticks();
    expect(told(bob.events)).toEqual([
      ...Array.from({ length: 250 }, (_, index) => `m${index + 1}`),
      ...Array.from({ length: 20 }, (_, index) => `n${index}`),
    ]);
  });

  it("replays own messages only with echo", async () => {
    const kit = await createKit();
    const { messageId } = await say(kit, kit.bob, "known");
    await say(kit, kit.alice, "own");
    const quiet = connect(kit, kit.alice, { since: messageId });
    const echo = connect(kit, kit.alice, { since: messageId, echo: true });
    await Promise.all([quiet.ready, echo.ready]);
    expect([told(quiet.events), told(echo.events)]).toEqual([[], ["own"]]);
  });

  it("announces a gap for each room where more was missed than is replayed", async () => {
    const kit = await createKit({ limits: { replayMessages: 5 } });
    const { messageId: since } = await say(kit, kit.alice, "known");
    for (let index = 1; index <= 6; index += 1) await say(kit, kit.alice, `m${index}`);
    const bob = connect(kit, kit.bob, { since });
    await bob.ready;
    await ticks();
    expect(told(bob.events)).toEqual([{ groupId: kit.room, groupType: 1, since, until: since + 6 }]);
  });

  it("announces a gap where more bytes were missed than are replayed", async () => {
    const text = "字".repeat(1000);
    const kit = await createKit({ limits: { replayBytes: 10_000 } });
    const { messageId: since } = await say(kit, kit.alice, "known");
    await say(kit, kit.alice, text);
    const all = connect(kit, kit.bob, { since });
    await all.ready;
    expect(told(all.events)).toEqual([text]);
    await say(kit, kit.alice, text);
    const gap = connect(kit, kit.bob, { since });
    await gap.ready;
    expect(told(gap.events)).toEqual([{ groupId: kit.room, groupType: 1, since, until: since + 2 }]);
  });

  it("writes a replay in slices, and the loop turns in between", async () => {
    const kit = await createKit();
    const { messageId: since } = await say(kit, kit.alice, "known");
    for (let index = 0; index < 40; index += 1) await say(kit, kit.alice, "x".repeat(10_000));
    const seen: number[] = [];
    const end = createConnection(kit.bob);
    const listening = kit.telex.listen(
      {
        ...end.connection,
        write(events) {
          setImmediate(() => seen.push(events.length));
          expect(seen).toHaveLength(end.writes.length);
          end.connection.write(events);
        },
      },
      { echo: false, since },
    );
    await listening.ready;
    expect(end.writes).toEqual(Array.from({ length: 14 }, (_, index) => (index < 13 ? 3 : 1)));
  });

  it("runs few replays simultaneously: the others wait, and hold nothing meanwhile", async () => {
    const running: (() => void)[] = [];
    const storage = createMemoryStorage();
    const messages: MessageStore = {
      ...storage.messages,
      async listSince(since) {
        await new Promise<void>((resolve) => running.push(resolve));
        return storage.messages.listSince(since);
      },
    };
    const kit = await createKit({ limits: { replaysAtOnce: 2 }, storage: { ...storage, messages } });
    const { messageId: since } = await say(kit, kit.alice, "known");
    const ends = Array.from({ length: 5 }, () => connect(kit, kit.bob, { since }));
    await ticks();
    expect(running).toHaveLength(2);
    await say(kit, kit.alice, "new");
    ends[3]?.stop();
    for (let next = running.shift(); next !== undefined; next = running.shift()) {
      next();
      await ticks();
      expect(running.length).toBeLessThanOrEqual(2);
    }
    await Promise.all(ends.map(({ ready }) => ready));
    expect(ends.map(({ events }) => told(events))).toEqual([["new"], ["new"], ["new"], [], ["new"]]);
  });

  it("closes the connections of a token that is revoked elsewhere, within a second", async () => {
    const kit = await createKit();
    const end = connect(kit, kit.alice);
    await kit.storage.tokens.revokeToken({ tokenId: 1 }, kit.clock.now());
    await kit.clock.advance(1000);
    expect(end.closed).toEqual(["token_ended"]);
    expect(await kit.telex.authenticate(kit.token)).toEqual({ kind: "anonymous" });
  });

  it("closes the connections of a token that expires", async () => {
    const kit = await createKit();
    const end = connect(kit, kit.alice);
    await kit.clock.advance(90 * 86_400_000);
    expect(end.closed).toEqual(["token_ended"]);
  });

  it("follows a change of members made by another process", async () => {
    const kit = await createKit();
    const carol = connect(kit, kit.carol);
    await say(kit, kit.alice, "before");
    await kit.storage.groups.amendMembers(kit.room, { add: [3], remove: [] });
    await kit.clock.advance(1000);
    await say(kit, kit.alice, "after");
    await ticks();
    expect(told(carol.events)).toEqual(["after"]);
  });
});
