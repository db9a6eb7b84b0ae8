import type { MessageView } from "@telex/core";
import { expect, test } from "vitest";
import {
  begin,
  catchUp,
  cutAbove,
  type HistoryPage,
  mostKept,
  putAfter,
  putBefore,
  recall,
  receive,
} from "./timeline.ts";

const message = (messageId: number): MessageView => ({
  id: String(messageId),
  messageId,
  groupId: 1,
  groupType: 1,
  userId: "1",
  type: 0,
  content: "[]",
  pinyin: "[]",
  groupName: "Room",
  groupNamePinyin: "Room",
  createTime: messageId,
  receiveTime: "",
  nickname: "Ada",
  nicknamePinyin: "Ada",
  avatar: null,
});

/** The messages from `first` to `last`, as a page of a room with the messages 1 to `newest`. */
const page = (first: number, last: number, newest = 1000): HistoryPage => ({
  groupMessages: Array.from({ length: last - first + 1 }, (_, index) => message(last - index)),
  nextPageCursor: first === 1 ? null : String(first),
  previousPageCursor: last === newest ? null : String(last),
});

const span = ({ messages }: { readonly messages: readonly MessageView[] }): string =>
  `${messages[0]?.messageId} to ${messages.at(-1)?.messageId}, ${messages.length}`;

test("a timeline has a limited length, and moves through the history without gaps", () => {
  let timeline = begin(page(951, 1000));
  for (let first = 901; first >= 1; first -= 50) {
    timeline = putBefore(timeline, page(first, first + 49));
    expect(timeline.messages.length).toBeLessThanOrEqual(mostKept);
  }
  expect(timeline).toMatchObject({ isStart: true, isEnd: false });
  expect(span(timeline)).toBe("1 to 300, 300");
  for (let first = 301; first <= 951; first += 50) timeline = putAfter(timeline, page(first, first + 49));
  expect(timeline).toMatchObject({ isStart: false, isEnd: true });
  expect(span(timeline)).toBe("701 to 1000, 300");
});

test("new messages are appended only at the end of the history", () => {
  const atEnd = begin(page(951, 1000));
  expect(span(receive(atEnd, message(1001)))).toBe("951 to 1001, 51");
  const above = begin(page(901, 950));
  expect(receive(above, message(1001))).toBe(above);
});

test("a message that arrives twice, or with new content, is included once", () => {
  const timeline = begin(page(999, 1000));
  const changed = { ...message(1000), content: '[{"text":{"text":"new"}}]' };
  expect(receive(timeline, changed).messages).toEqual([message(999), changed]);
});

test("after a reconnection, the newest page is added if it reaches the loaded messages", () => {
  const timeline = begin(page(951, 1000));
  expect(span(catchUp(timeline, page(981, 1030, 1030)))).toBe("951 to 1030, 80");
});

test("otherwise there is a gap, and newer messages are loaded as pages", () => {
  const missed = catchUp(begin(page(951, 1000)), page(1951, 2000, 2000));
  expect(span(missed)).toBe("951 to 1000, 50");
  expect(missed.isEnd).toBe(false);
  expect(span(putAfter(missed, page(1001, 1050, 2000)))).toBe("951 to 1050, 100");
});

test("an announced gap removes the messages above it", () => {
  const timeline = receive(begin(page(951, 1000)), message(5000));
  expect(span(cutAbove(timeline, 1000))).toBe("951 to 1000, 50");
  expect(cutAbove(timeline, 1000).isEnd).toBe(false);
});

test("an empty room adds the messages that were missed", () => {
  const empty = begin({ groupMessages: [], nextPageCursor: null, previousPageCursor: null });
  expect(span(catchUp(empty, page(1, 3, 3)))).toBe("1 to 3, 3");
});

test("a recalled message keeps its position and loses its content", () => {
  const [, recalled] = recall(begin(page(999, 1000)), 1000).messages;
  expect(recalled).toMatchObject({ messageId: 1000, content: '[{"text":{"text":"[消息已撤回]"}}]' });
});
