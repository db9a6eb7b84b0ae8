import { operator } from "@telex/core";
import { describe, expect, it } from "vitest";
import { nextTick } from "@telex/core/transport";
import { startBoth } from "./both.ts";
import { type Client, open, textOf, textTo } from "./harness.ts";

const unknownRoom = { status: 404, code: "group_not_found" };

async function scene() {
  const running = await startBoth();
  const [alice, bob, carol] = [await running.user("Alice"), await running.user("鲍勃"), await running.user("Carol")];
  const groupId = await running.group([alice, bob]);
  const say = (text: string, room = groupId) =>
    running.http(alice).messages.send({ groupId: room, groupType: 1, message: text });
  return { ...running, alice, bob, carol, groupId, say, rooms: running.http(bob).rooms };
}

/** The frames that a connection received before the mirror of a last message. */
async function framesBefore(client: Client, last: () => Promise<unknown>): Promise<unknown[]> {
  await last();
  const frames: unknown[] = [];
  for (;;) {
    const frame = await client.next();
    if (frame.type === "GroupMessage" && textOf(frame) === "last") return frames;
    frames.push(frame);
  }
}

describe("the rooms of a user over HTTP", () => {
  it("are listed with name, members, unread messages and the newest message", async () => {
    const { rooms, say, groupId, alice } = await scene();
    expect(await rooms.list()).toEqual({
      list: [
        {
          groupId,
          groupType: 1,
          groupName: "Room",
          groupNamePinyin: "Room",
          avatar: `/api/avatar/get/group?id=${groupId}`,
          topic: "",
          role: "member",
          archived: false,
          memberCount: 2,
          unread: 0,
          mentions: 0,
          notify: "default",
          mutedUntil: 0,
          readUpTo: "0",
          lastMessage: null,
          bot: null,
        },
      ],
      nextCursor: null,
    });
    await say("one");
    const { messageId } = await say("two");
    const room = await rooms.find({ groupId });
    expect(room).toMatchObject({ unread: 2, readUpTo: "0", lastMessage: { messageId, userId: String(alice.id) } });
    expect((await rooms.list()).list).toEqual([room]);
  });

  it("come newest activity first, page by page, each once while rooms move up", async () => {
    const { rooms, group, alice, bob, groupId, say } = await scene();
    const others = [];
    for (let count = 0; count < 6; count += 1) others.push(await group([alice, bob]));
    for (const room of [groupId, ...others.slice(0, 4)]) await say("text", room);
    const first = await rooms.list({ pageSize: 3 });
    await say("moves up", groupId);
    await say("moves up", others[5] ?? 0);
    const second = await rooms.list({ pageSize: 3, cursor: first.nextCursor ?? "" });
    const third = await rooms.list({ pageSize: 3, cursor: second.nextCursor ?? "" });
    expect(third.nextCursor).toBeNull();
    const [a, b, c, d, e, f] = others;
    const listed = [first, second, third].flatMap(({ list }) => list.map((room) => room.groupId));
    expect(listed).toEqual([d, c, b, a, groupId, e, f]);
    expect((await rooms.list({ pageSize: 1 })).list[0]?.groupId).toBe(f);
  });

  it("refuse a cursor and a page size that cannot be", async () => {
    const { httpUrl, bob } = await scene();
    for (const query of ["cursor=", "cursor=1", "cursor=1.2.x", "pageSize=0", "pageSize=101"]) {
      const answer = await fetch(`${httpUrl}/external/api/v1/im/groups?access_token=${bob.token}&${query}`);
      expect([query, answer.status]).toEqual([query, 400]);
    }
  });

  it("cannot be probed: a foreign room is answered like a missing one", async () => {
    const { http, carol, groupId, say } = await scene();
    const { messageId } = await say("secret");
    const { rooms } = http(carol);
    for (const room of [groupId, groupId + 1]) {
      await expect(rooms.find({ groupId: room })).rejects.toMatchObject(unknownRoom);
      await expect(rooms.members({ groupId: room })).rejects.toMatchObject(unknownRoom);
      await expect(rooms.read({ groupId: room, messageId })).rejects.toMatchObject(unknownRoom);
    }
    expect(await rooms.list()).toEqual({ list: [], nextCursor: null });
  });

  it("say of a room of an external network through which account it sends", async () => {
    const { group, bob, rooms } = await scene();
    const [official, own] = [await group([bob], 0), await group([bob], 4)];
    expect((await rooms.find({ groupId: official })).bot).toEqual({ account: null, online: false });
    expect((await rooms.find({ groupId: own })).bot).toEqual({ account: "bot-1", online: false });
  });

  it("have members with card, pinyin and presence, by user id", async () => {
    const { rooms, telex, groupId, alice, bob, url } = await scene();
    await telex.operator.groups.card(operator, { groupId, userId: bob.id, card: "名片" });
    const alices = await open(url(alice.token));
    const memberOf = async (userId: number) =>
      (await rooms.members({ groupId })).list.find((member) => member.userId === String(userId));
    expect(await memberOf(alice.id)).toMatchObject({ online: true, card: null, ext: "" });
    expect(await memberOf(bob.id)).toEqual({
      role: "member",
      userId: String(bob.id),
      ext: "",
      nickname: "鲍勃",
      nicknamePinyin: "bao4 bo2",
      card: "名片",
      avatar: `/api/avatar/get/personal?id=${bob.id}`,
      online: false,
    });
    await alices.close();
    // The server detects the end later.
    while ((await memberOf(alice.id))?.online !== false) await nextTick();
    const first = await rooms.members({ groupId, pageSize: 1 });
    const second = await rooms.members({ groupId, pageSize: 1, cursor: first.nextCursor ?? "" });
    expect([first, second].flatMap(({ list }) => list.map(({ userId }) => userId))).toEqual([
      String(alice.id),
      String(bob.id),
    ]);
    expect(second.nextCursor).toBeNull();
  });
});

describe("read markers", () => {
  it("move forward only, and count what is unread", async () => {
    const { rooms, say, groupId } = await scene();
    const ids: number[] = [];
    for (const text of ["1", "2", "3"]) ids.push((await say(text)).messageId);
    const [first = 0, second = 0, third = 0] = ids;
    expect(await rooms.read({ groupId, messageId: second })).toEqual({ readUpTo: String(second), unread: 1 });
    expect(await rooms.read({ groupId, messageId: first })).toEqual({ readUpTo: String(second), unread: 1 });
    const most = Number.MAX_SAFE_INTEGER;
    expect(await rooms.read({ groupId, messageId: most })).toEqual({ readUpTo: String(third), unread: 0 });
    await say("4");
    expect(await rooms.find({ groupId })).toMatchObject({ readUpTo: String(third), unread: 1 });
  });

  it("move with own messages", async () => {
    const { rooms, http, say, bob, groupId } = await scene();
    await say("theirs");
    const { messageId } = await http(bob).messages.send({ groupId, groupType: 1, message: "own" });
    expect(await rooms.find({ groupId })).toMatchObject({ readUpTo: String(messageId), unread: 0 });
  });

  it("stay where they are in a room without messages, and refuse 0", async () => {
    const { rooms, groupId } = await scene();
    expect(await rooms.read({ groupId, messageId: 7 })).toEqual({ readUpTo: "0", unread: 0 });
    await expect(rooms.read({ groupId, messageId: 0 })).rejects.toMatchObject({ status: 400 });
  });

  it("are told to the user's own connections with echo=1, once, where they moved", async () => {
    const { rooms, say, url, alice, bob, groupId } = await scene();
    const { messageId } = await say("one");
    const [echo, plain, alices] = [
      await open(url(bob.token, "?echo=1")),
      await open(url(bob.token)),
      await open(url(alice.token, "?echo=1")),
    ];
    await rooms.read({ groupId, messageId });
    await rooms.read({ groupId, messageId });
    const last = () => say("last");
    const marker = { groupId, groupType: 1, readUpTo: String(messageId), unread: 0 };
    expect(await framesBefore(echo, last)).toEqual([{ type: "ReadMarker", code: 200, data: marker }]);
    expect(await framesBefore(plain, () => Promise.resolve())).toEqual([]);
    expect(await framesBefore(alices, () => Promise.resolve())).toEqual([]);
  });

  it("that are set simultaneously end with the furthest, everywhere", async () => {
    const { rooms, say, url, bob, groupId } = await scene();
    const ids: number[] = [];
    for (let count = 0; count < 10; count += 1) ids.push((await say(`${count}`)).messageId);
    const echo = await open(url(bob.token, "?echo=1"));
    await Promise.all(ids.toReversed().map((messageId) => rooms.read({ groupId, messageId })));
    const frames = await framesBefore(echo, () => say("last"));
    const told = frames.map((frame) => Number(Reflect.get(Object(Reflect.get(Object(frame), "data")), "readUpTo")));
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(told.at(-1)).toBe(ids.at(-1));
    expect(await rooms.find({ groupId })).toMatchObject({ readUpTo: String(ids.at(-1)), unread: 1 });
  });

  it("count at most 1000 unread messages", async () => {
    const { rooms, url, alice, groupId } = await scene();
    const sender = await open(url(alice.token));
    for (let count = 0; count < 1002; count += 1) sender.send(textTo(groupId, `${count}`));
    for (let count = 0; count < 1002; count += 1) await sender.nextText();
    expect((await rooms.find({ groupId })).unread).toBe(1000);
  });
});
