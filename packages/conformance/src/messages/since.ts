import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { sorted, upTo } from "../support/expect.ts";
import { appendMessages, fillRoom, idsOf, messageIn } from "../support/fixtures.ts";

const room = 11;

/** Promises of a storage about finding missed messages. */
export const sinceCases: readonly StorageCase[] = defineCases("messages since", {
  "messages of some rooms above an id come by id, or null if they are too many": async ({ storage: { messages } }) => {
    const appends = upTo(30).map((number) => messageIn(room + (number % 4), `message ${number}`));
    const stored = await appendMessages(messages, appends);
    const afters = [0, ...sorted(idsOf(stored)).filter((_, index) => index % 5 === 0), Number.MAX_SAFE_INTEGER];
    const byId = stored.toSorted((a, b) => a.id - b.id);
    for (const groupIds of [[room], [room + 2, room], [room, room + 1, room + 2, room + 3], [room, 99], [99], []]) {
      for (const after of afters) {
        for (const limit of [1, 4, 8, 1000]) {
          const missed = byId.filter(({ groupId, id }) => groupIds.includes(groupId) && id > after);
          const page = await messages.listSince({ groupIds, after, limit, bytes: 100_000 });
          const about = `rooms ${groupIds.join(", ")}, after ${after}, limit ${limit}`;
          assert.deepEqual(page, missed.length > limit ? null : missed, about);
        }
      }
    }
  },

  "messages above an id come whole, or null if they take too many bytes of UTF-8": async ({ storage }) => {
    const { messages } = storage;
    const content = "字".repeat(100);
    // One after the other: rooms give ids simultaneously.
    const stored = [
      ...(await appendMessages(messages, [messageIn(room, content, {}, { pinyin: "zi4" })])),
      ...(await appendMessages(messages, [messageIn(room + 1, "a", {}, { pinyin: content })])),
    ];
    const groupIds = [room, room + 1];
    const bytes = 300 + 3 + 1 + 300;
    assert.deepEqual(await messages.listSince({ groupIds, after: 0, limit: 10, bytes }), stored);
    assert.equal(await messages.listSince({ groupIds, after: 0, limit: 10, bytes: bytes - 1 }), null);
    const rest = await messages.listSince({ groupIds, after: stored[0]?.id ?? 0, limit: 10, bytes: 301 });
    assert.deepEqual(rest, stored.slice(1));
    assert.equal(await messages.listSince({ groupIds, after: 0, limit: 10, bytes: 0 }), null);
    assert.deepEqual(await messages.listSince({ groupIds: [room + 2], after: 0, limit: 10, bytes: 0 }), []);
  },

  "the newest id of each room that has messages": async ({ storage: { messages } }) => {
    const first = await fillRoom(messages, room, 3);
    const second = await fillRoom(messages, room + 1, 2);
    const newest = await messages.findNewest([room, room + 1, room + 2]);
    assert.deepEqual(
      new Map(newest),
      new Map([
        [room, first[2]?.id],
        [room + 1, second[1]?.id],
      ]),
    );
    assert.deepEqual(new Map(await messages.findNewest([])), new Map());
  },

  "a call with many rooms succeeds": async ({ storage: { messages } }) => {
    const [message] = await fillRoom(messages, room, 1);
    const groupIds = upTo(5000);
    assert.deepEqual(await messages.listSince({ groupIds, after: 0, limit: 10, bytes: 1000 }), [message]);
    assert.deepEqual(new Map(await messages.findNewest(groupIds)), new Map([[room, message?.id]]));
  },
});
