import assert from "node:assert/strict";
import type { MessageRecord, MessageStore } from "@telex/core/storage";
import { changeNames } from "../stores/changes.ts";
import { defineCases, type StorageCase } from "../support/case.ts";
import { upTo as numbersUpTo } from "../support/expect.ts";
import { appendMessages, fillRoom, messageIn } from "../support/fixtures.ts";

const room = 11;
const reader = 8;

const mark = (store: MessageStore, upTo: number, userId = reader) => store.markRead({ groupId: room, userId, upTo });

async function reading(store: MessageStore, userId = reader) {
  const found = (await store.findReadings(userId, [room])).get(room);
  assert.ok(found !== undefined, "The room is missing.");
  return found;
}

const idAt = (messages: readonly MessageRecord[], seq: number): number => messages[seq - 1]?.id ?? 0;

/** Promises of a storage about what users have read. */
export const readingCases: readonly StorageCase[] = defineCases("messages read", {
  "before anything was read, every message is unread": async ({ storage: { messages } }) => {
    assert.deepEqual(await reading(messages), { readUpTo: 0, unread: 0, newest: null });
    const stored = await fillRoom(messages, room, 3);
    assert.deepEqual(await reading(messages), { readUpTo: 0, unread: 3, newest: stored[2] });
  },

  "a marker is kept for its user and room": async ({ storage, reopen }) => {
    const stored = await fillRoom(storage.messages, room, 5);
    await fillRoom(storage.messages, room + 1, 2);
    const marked = await mark(storage.messages, idAt(stored, 2));
    assert.deepEqual(marked, { moved: true, readUpTo: idAt(stored, 2), unread: 3 });
    const { messages } = await reopen();
    const readings = await messages.findReadings(reader, [room + 1, room, room + 2]);
    assert.deepEqual(
      numbersUpTo(3).map((number) => readings.get(room - 1 + number)?.unread),
      [3, 2, 0],
    );
    assert.equal((await reading(messages)).readUpTo, idAt(stored, 2));
    assert.equal((await reading(messages, 9)).unread, 5);
  },

  "of many users, those who have read a message are found": async ({ storage: { messages } }) => {
    const stored = await fillRoom(messages, room, 5);
    const elsewhere = await fillRoom(messages, room + 1, 5);
    for (const [index, seq] of [2, 3, 5, 4].entries()) await mark(messages, idAt(stored, seq), 8 + index);
    await messages.markRead({ groupId: room + 1, userId: 12, upTo: idAt(elsewhere, 5) });
    const readers = async (seq: number, userIds: readonly number[]) =>
      (await messages.findReaders({ groupId: room, seq, userIds })).toSorted((a, b) => a - b);
    assert.deepEqual(await readers(3, [8, 9, 10, 12, 13]), [9, 10]);
    assert.deepEqual(await readers(1, [8, 9, 10, 11, 12]), [8, 9, 10, 11]);
    assert.deepEqual(await readers(5, [11]), []);
    assert.deepEqual(await readers(1, []), []);
  },

  "a marker only moves forward": async ({ storage: { messages } }) => {
    const stored = await fillRoom(messages, room, 5);
    await mark(messages, idAt(stored, 4));
    const still = { moved: false, readUpTo: idAt(stored, 4), unread: 1 };
    for (const seq of [2, 4]) assert.deepEqual(await mark(messages, idAt(stored, seq)), still);
  },

  "an id that is no message counts as the newest message below it": async ({ storage: { messages } }) => {
    assert.deepEqual(await mark(messages, 5), { moved: false, readUpTo: 0, unread: 0 });
    const stored = await appendMessages(
      messages,
      numbersUpTo(8).map((number) => messageIn(room + (number % 2), `message ${number}`)),
    );
    const own = stored.filter(({ groupId }) => groupId === room);
    assert.equal((await mark(messages, idAt(own, 1) - 1)).readUpTo, 0);
    assert.equal((await mark(messages, idAt(own, 2) + 1)).readUpTo, idAt(own, 2));
    const last = { moved: true, readUpTo: idAt(own, 4), unread: 0 };
    assert.deepEqual(await mark(messages, Number.MAX_SAFE_INTEGER), last);
  },

  "a user has read the room up to their own newest message": async ({ storage, reopen }) => {
    const own = { userId: String(reader) };
    const stored = await appendMessages(storage.messages, [
      messageIn(room, "theirs"),
      messageIn(room, "own", {}, own),
      messageIn(room, "theirs again"),
      messageIn(room, "of a network", {}, { ...own, external: true }),
    ]);
    const { messages } = await reopen();
    assert.deepEqual(await reading(messages), { readUpTo: idAt(stored, 2), unread: 2, newest: stored[3] });
    await appendMessages(messages, [messageIn(room, "own again", {}, own)]);
    assert.equal((await reading(messages)).unread, 0);
  },

  "a notice is kept as one, is never unread, and moves no marker": async ({ storage, reopen }) => {
    const notice = '{"kind":"created"}';
    const own = { userId: String(reader), notice };
    const stored = await appendMessages(storage.messages, [
      messageIn(room, "theirs"),
      messageIn(room, "notice", {}, own),
      messageIn(room, "theirs again"),
      messageIn(room, "notice of theirs", {}, { notice }),
    ]);
    const { messages } = await reopen();
    assert.deepEqual(await messages.findMessage(room, idAt(stored, 2)), stored[1]);
    assert.equal(stored[1]?.notice, notice);
    assert.deepEqual(await reading(messages), { readUpTo: 0, unread: 2, newest: stored[3] });
    const read = async (seq: number) => (await mark(messages, idAt(stored, seq))).unread;
    assert.deepEqual([await read(1), await read(2), await read(3), await read(4)], [1, 1, 0, 0]);
    await appendMessages(messages, [messageIn(room, "a message"), messageIn(room, "notice", {}, own)]);
    assert.equal((await reading(messages)).unread, 1);
  },

  "a repeat that stores nothing moves no marker": async ({ storage: { messages } }) => {
    const nonce = { value: "n", fingerprint: "f", life: 1000 };
    const own = messageIn(room, "own", { nonce }, { userId: String(reader) });
    const [first] = await appendMessages(messages, [own]);
    await fillRoom(messages, room, 2);
    await messages.append(own);
    assert.deepEqual(await reading(messages), { ...(await reading(messages)), readUpTo: first?.id, unread: 2 });
  },

  "of markers that are set simultaneously the furthest stays": async ({ storage, race }) => {
    const stored = await fillRoom(storage.messages, room, 20);
    const marked = await race(20, ({ messages }, caller) => mark(messages, idAt(stored, ((caller * 7) % 20) + 1)));
    assert.deepEqual(await reading(storage.messages), { readUpTo: idAt(stored, 20), unread: 0, newest: stored[19] });
    assert.ok(marked.filter(({ moved }) => moved).length >= 1);
    for (const [caller, { readUpTo, unread }] of marked.entries()) {
      assert.ok(readUpTo >= idAt(stored, ((caller * 7) % 20) + 1), "A marker moved back.");
      assert.equal(idAt(stored, 20 - unread), readUpTo, "The count is not that of the marker.");
    }
  },

  "a marker and its count are of one moment, while messages arrive": async ({ storage, race }) => {
    await fillRoom(storage.messages, room, 1);
    const results = await race(30, async ({ messages }, caller) => {
      if (caller % 3 === 0) await messages.append(messageIn(room, `message ${caller}`));
      return caller % 3 === 1 ? mark(messages, Number.MAX_SAFE_INTEGER) : null;
    });
    for (const result of results) if (result !== null) assert.equal(result.unread, 0);
  },

  "a marker that moves is a change, once": async ({ storage: { messages, changes } }) => {
    const upTo = idAt(await fillRoom(messages, room, 2), 1);
    await mark(messages, upTo);
    await mark(messages, upTo);
    assert.deepEqual(await changeNames(changes, 0), [`marker ${room}/${reader}/${upTo}`]);
  },

  "a marker that a message of the user's own moves is no change": async ({ storage: { messages, changes } }) => {
    await appendMessages(messages, [messageIn(room, "own", {}, { userId: String(reader) })]);
    assert.deepEqual(await changeNames(changes, 0), []);
  },

  "the newest id up to an id is found for each room": async ({ storage: { messages } }) => {
    const stored = await appendMessages(
      messages,
      numbersUpTo(9).map((number) => messageIn(room + (number % 3), `message ${number}`)),
    );
    const groupIds = [room, room + 1, room + 2, room + 3];
    for (const limit of [0, ...stored.map(({ id }) => id), Number.MAX_SAFE_INTEGER]) {
      const expected = new Map<number, number>();
      for (const { groupId, id } of stored) if (id <= limit) expected.set(groupId, id);
      assert.deepEqual(new Map(await messages.findNewest(groupIds, limit)), expected);
    }
  },
});
