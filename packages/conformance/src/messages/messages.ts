import assert from "node:assert/strict";
import type { MessageRecord, MessageStore } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { countOutcomes, expectRising, fieldsOf, upTo, withOutcome } from "../support/expect.ts";
import { appendMessages, fillRoom, idsOf, messageIn, nonceLife, now, texts } from "../support/fixtures.ts";

export const room = 11;

export const nonce = (fingerprint = "same", value = "n") => ({ value, fingerprint, life: nonceLife });

export const once = messageIn(room, "once", { nonce: nonce() });

export const listAll = async (store: MessageStore, groupId = room): Promise<readonly MessageRecord[]> =>
  (await store.page({ groupId, before: null, limit: 10_000 })).messages;

const ofStranger = {
  userId: "99001",
  external: true,
  type: 3,
  pinyin: "ni3 hao3",
  nickname: "陌生人",
  nicknamePinyin: "mo4 sheng1 ren2",
  createTime: now - 5,
  receiveTime: now + 5,
  botMessageId: "m-1",
} as const;

/** Promises of a storage about storing messages. */
export const messageCases: readonly StorageCase[] = defineCases("messages", {
  "a message is kept as given, with an id and its position in the room": async ({ storage, reopen }) => {
    const append = messageIn(room, "[]", {}, ofStranger);
    const appended = withOutcome(await storage.messages.append(append), "appended");
    const { id } = appended.message;
    assert.ok(Number.isSafeInteger(id) && id > 0, `${id} is no id`);
    assert.deepEqual(appended.message, { ...append.message, id, seq: 1, mentions: null, extras: null, changed: 0 });
    const { messages } = await reopen();
    assert.deepEqual(await messages.findMessage(room, id), appended.message);
    assert.deepEqual(await listAll(messages), [appended.message]);
  },

  "texts come back as they were": async ({ storage, reopen }) => {
    const appends = texts.map((content) => messageIn(room, content));
    const stored = await appendMessages(storage.messages, appends);
    assert.deepEqual(fieldsOf(stored, "content"), texts);
    assert.deepEqual(await listAll((await reopen()).messages), stored.toReversed());
  },

  "a long message comes back whole": async ({ storage: { messages } }) => {
    const content = JSON.stringify(Array.from({ length: 100 }, (_, index) => ({ text: `${index} `.repeat(1000) })));
    const [message] = await appendMessages(messages, [messageIn(room, content)]);
    assert.equal((await messages.findMessage(room, message?.id ?? 0))?.content, content);
  },

  "a message is found in its own room only": async ({ storage: { messages } }) => {
    const stored = await appendMessages(
      messages,
      upTo(9).map((number) => messageIn(room + (number % 3), `message ${number}`)),
    );
    for (const message of stored) {
      for (const groupId of [room, room + 1, room + 2, room + 3]) {
        const expected = groupId === message.groupId ? message : null;
        assert.deepEqual(await messages.findMessage(groupId, message.id), expected);
      }
    }
    assert.equal(await messages.findMessage(room, Number.MAX_SAFE_INTEGER), null);
  },

  "ids and positions rise in the order of the calls, without holes in a room": async ({ storage: { messages } }) => {
    const stored = await appendMessages(
      messages,
      upTo(60).map((number) => messageIn(room + (number % 3), `message ${number}`)),
    );
    for (const groupId of [room, room + 1, room + 2]) {
      const own = stored.filter((message) => message.groupId === groupId);
      expectRising(idsOf(own), "The ids of a room");
      assert.deepEqual(fieldsOf(own, "seq"), upTo(20));
    }
  },

  "simultaneous messages of many senders have ids of their own and no holes": async ({ storage, race }) => {
    const results = await race(40, ({ messages }, caller) => messages.append(messageIn(room, `message ${caller}`)));
    assert.deepEqual(countOutcomes(results), { appended: 40 });
    const stored = (await listAll(storage.messages)).toReversed();
    expectRising(idsOf(stored), "The ids of a room");
    assert.deepEqual(fieldsOf(stored, "seq"), upTo(40));
    const answered = results.flatMap((result) => ("message" in result ? [result.message] : []));
    assert.deepEqual(
      answered.toSorted((a, b) => a.seq - b.seq),
      stored,
    );
  },

  "ids and positions continue after a restart": async ({ storage, reopen }) => {
    const before = await fillRoom(storage.messages, room, 3);
    const all = [...before, ...(await fillRoom((await reopen()).messages, room, 3))];
    expectRising(idsOf(all), "The ids of a room");
    assert.deepEqual(fieldsOf(all, "seq"), upTo(6));
  },
});
