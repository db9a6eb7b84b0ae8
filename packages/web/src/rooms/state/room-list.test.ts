import type { MessageView } from "@telex/core";
import { expect, test } from "vitest";
import type { RoomsApi, RoomView } from "../content/api.ts";
import { createRoomList } from "./room-list.ts";

const message = (messageId: number, userId = "2"): MessageView => ({
  id: String(messageId),
  messageId,
  groupId: 1,
  groupType: 1,
  userId,
  type: 0,
  content: "[]",
  pinyin: "[]",
  groupName: "Kitchen",
  groupNamePinyin: "Kitchen",
  createTime: messageId,
  receiveTime: "",
  nickname: "Ben",
  nicknamePinyin: "Ben",
  avatar: null,
});

/** A room as the server counts it: another member sent `newest` messages, and the person has read up to `readUpTo`. */
const room = (newest: number, readUpTo: number): RoomView => ({
  groupId: 1,
  groupType: 1,
  groupName: "Kitchen",
  groupNamePinyin: "Kitchen",
  avatar: "",
  topic: "",
  role: "member",
  archived: false,
  memberCount: 2,
  mentions: 0,
  notify: "default",
  mutedUntil: 0,
  unread: newest - readUpTo,
  readUpTo: String(readUpTo),
  lastMessage: newest === 0 ? null : message(newest),
  bot: null,
});

const marker = (readUpTo: number, unread: number) => ({ readUpTo: String(readUpTo), unread });

/** A list whose calls the test answers one by one. */
function begin() {
  const asked: { readonly kind: "list" | "find"; readonly answer: (room: RoomView) => Promise<void> }[] = [];
  const answered = async (settle: () => void): Promise<void> => {
    settle();
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  };
  const api: Pick<RoomsApi["rooms"], "list" | "find"> = {
    list: () =>
      new Promise((resolve) => {
        asked.push({ kind: "list", answer: (given) => answered(() => resolve({ list: [given], nextCursor: null })) });
      }),
    find: () =>
      new Promise((resolve) => {
        asked.push({ kind: "find", answer: (given) => answered(() => resolve(given)) });
      }),
  };
  const list = createRoomList(api, 1);
  const answer = async (kind: "list" | "find", given: RoomView): Promise<void> => {
    const next = asked.shift();
    expect(next?.kind).toBe(kind);
    await next?.answer(given);
  };
  const load = (given: RoomView): Promise<void> => {
    void list.load();
    return answer("list", given);
  };
  return { list, asked, answer, load };
}

test("a room that is read while the list is fetched stays read", async () => {
  const { list, answer, load } = begin();
  await load(room(2, 0));
  void list.load();
  list.mark(1, marker(2, 0));
  await answer("list", room(2, 0));
  expect(list.unread.value).toBe(0);
});

test("a room that is read while it is fetched stays read", async () => {
  const { list, answer, load } = begin();
  await load(room(2, 0));
  void list.refresh(1);
  list.mark(1, marker(2, 0));
  await answer("find", room(2, 0));
  expect(list.unread.value).toBe(0);
});

test("a message that arrives while the list is fetched is counted once, whether the list contains it or not", async () => {
  for (const fetched of [room(2, 1), room(3, 1)]) {
    const { list, answer, load } = begin();
    await load(room(2, 1));
    void list.load();
    list.receive(message(3));
    await answer("list", fetched);
    expect([list.unread.value, list.find(1)?.lastMessage?.messageId]).toEqual([2, 3]);
  }
});

test("a message is counted once if a marker that includes it arrives first", async () => {
  const { list, asked, load } = begin();
  await load(room(2, 1));
  list.mark(1, marker(2, 1));
  list.receive(message(3));
  expect([list.unread.value, asked]).toEqual([1, []]);
});

test("a message that was read elsewhere before it arrives is not counted", async () => {
  const { list, load } = begin();
  await load(room(2, 2));
  list.mark(1, marker(3, 0));
  list.receive(message(3));
  expect(list.unread.value).toBe(0);
});

test("a room is fetched if a marker may be older or newer than the last message", async () => {
  const { list, asked, answer, load } = begin();
  await load(room(2, 1));
  list.receive(message(3));
  list.mark(1, marker(2, 0));
  await answer("find", room(3, 2));
  expect([list.unread.value, asked]).toEqual([1, []]);
});

test("a repeated or outdated marker causes no request and no change", async () => {
  const { list, asked, load } = begin();
  await load(room(3, 2));
  list.mark(1, marker(2, 0));
  list.mark(1, marker(1, 0));
  expect([list.unread.value, asked]).toEqual([1, []]);
});

test("a notice is the last message of the room, and is not counted", async () => {
  const { list, load } = begin();
  await load(room(2, 1));
  list.receive({ ...message(3), notice: { kind: "renamed" } });
  expect([list.unread.value, list.find(1)?.lastMessage?.notice?.kind]).toEqual([1, "renamed"]);
});
