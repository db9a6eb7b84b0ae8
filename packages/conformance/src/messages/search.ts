import assert from "node:assert/strict";
import type { MessageRecord, MessageSearch } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { expectOutcome } from "../support/expect.ts";
import { appendMessages, idsOf, now, searchFor } from "../support/fixtures.ts";
import { createRandom } from "@telex/core/testing";
import { appendIndexed, findAll, findIds, indexAll, returnedBy, room, term, termsIn, withTerms } from "./search-kit.ts";

/** The promises of the search for messages by their terms. */
export const searchCases: readonly StorageCase[] = defineCases("messages search", {
  "a message has every term of one spelling of every word": async ({ storage: { messages } }) => {
    const stored = await appendIndexed(messages, [
      withTerms([term(1), term(2), term(3)]),
      withTerms([term(1), term(4)]),
      withTerms([term(2), term(5), term(2)]),
      withTerms([]),
    ]);
    const found = async (words: MessageSearch["words"]): Promise<number[]> => {
      const ids = await findIds(messages, searchFor([room], { words }));
      return ids.map((id) => stored.findIndex((message) => message.id === id));
    };
    assert.deepEqual(await found([[[term(1)]]]), [1, 0]);
    assert.deepEqual(await found([[[term(1), term(2)]]]), [0]);
    assert.deepEqual(await found([[[term(1), term(2)], [term(5)]]]), [2, 0]);
    assert.deepEqual(await found([[[term(2)]], [[term(3)], [term(5)]]]), [2, 0]);
    assert.deepEqual(await found([[[term(3)]], [[term(4)]]]), []);
    assert.deepEqual(await found([[[term(9)]]]), []);
    assert.deepEqual(await found([[]]), []);
  },

  "few messages are returned that lack a term": async ({ storage: { messages } }) => {
    const random = createRandom(5);
    const some = () => Array.from({ length: 40 }, () => term(random.below(1_000_000)));
    await appendIndexed(
      messages,
      Array.from({ length: 500 }, () => withTerms([...some(), term(3)])),
    );
    const wanted = [term(2_000_001), term(2_000_002)];
    for (const words of [[[wanted]], [[[term(3)]], [wanted]]]) {
      const { length } = await returnedBy(messages, searchFor([room], { words }));
      assert.ok(length < 40, `${length} of 500 messages were returned without a reason`);
    }
  },

  "a message is found from the moment at which it is stored, before and after it gets its terms": async ({
    storage,
    second,
    reopen,
  }) => {
    const other = await second();
    for (let count = 1; count <= 40; count += 1) {
      const [message] = await appendMessages(storage.messages, [withTerms([term(count), term(0)])]);
      const asked = searchFor([room], { words: [[[term(count), term(0)]]], limit: 1 });
      assert.deepEqual(await findAll(other.messages, asked), [message]);
      if (count % 20 === 0) await indexAll(storage.messages);
    }
    const { messages } = await reopen();
    assert.equal((await findIds(messages, searchFor([room], { words: [[[term(0)]]] }))).length, 40);
    await indexAll(messages);
    assert.equal((await findIds(messages, searchFor([room], { words: [[[term(0)]]] }))).length, 40);
  },

  "only messages of the rooms are found, those of all of them by id": async ({ storage: { messages } }) => {
    const random = createRandom(3);
    const stored = await appendMessages(
      messages,
      Array.from({ length: 90 }, () => withTerms([term(1)], now, room + random.below(4))),
    );
    await indexAll(messages);
    const words = [[[term(1)]]];
    for (const groupIds of [[room], [room, room + 2], [room + 2, room, room], [room + 9], []]) {
      const expected = stored.filter(({ groupId }) => groupIds.includes(groupId)).toSorted((a, b) => b.id - a.id);
      for (const limit of [1, 7, 100]) {
        assert.deepEqual(await findAll(messages, searchFor(groupIds, { words, limit })), expected);
      }
    }
  },

  "a page begins below a position, and both bounds of the time are outside": async ({ storage: { messages } }) => {
    // The times of a network need not rise.
    const times = [5, 1, 4, 2, 3, 3];
    const stored = await appendIndexed(
      messages,
      times.map((time) => withTerms([term(1)], now + time)),
    );
    const found = async (different: Partial<MessageSearch>): Promise<number[]> => {
      const ids = await findIds(messages, searchFor([room], { words: [[[term(1)]]], ...different }));
      return ids.map((id) => times[stored.findIndex((message) => message.id === id)] ?? 0);
    };
    assert.deepEqual(await found({ createdAfter: now + 2 }), [3, 3, 4, 5]);
    assert.deepEqual(await found({ createdBefore: now + 3 }), [2, 1]);
    assert.deepEqual(await found({ createdAfter: now + 1, createdBefore: now + 4, limit: 1 }), [3, 3, 2]);
    assert.deepEqual(await found({ before: stored[3]?.id ?? 0 }), [4, 1, 5]);
    assert.deepEqual(await found({ before: stored[0]?.id ?? 0 }), []);
  },

  "following the pages shows every message once, whatever arrives meanwhile": async ({ storage: { messages } }) => {
    const stored = await appendIndexed(
      messages,
      Array.from({ length: 40 }, (_, index) => withTerms([term(index % 2)])),
    );
    const asked = searchFor([room], { words: [[[term(1)]]], limit: 3 });
    const seen: number[] = [];
    for (let before: number | null = null; ;) {
      const page = await messages.search({ ...asked, before });
      seen.push(...idsOf(page.messages.filter((message) => termsIn(message).includes(term(1)))));
      await appendMessages(messages, [withTerms([term(1)])]);
      if (page.next === null) break;
      before = page.next;
    }
    assert.deepEqual(seen, idsOf(stored.filter((_, index) => index % 2 === 1)).toReversed());
  },

  "a recalled message is not returned, with terms and without": async ({ storage: { messages } }) => {
    const indexed = await appendIndexed(messages, [withTerms([term(1)]), withTerms([term(1)])]);
    const unindexed = await appendMessages(messages, [withTerms([term(1)]), withTerms([term(1)])]);
    for (const stored of [indexed, unindexed]) {
      const recall = { groupId: room, messageId: stored[1]?.id ?? 0, operatorId: "7", external: false, ownSince: null };
      expectOutcome(await messages.recall({ ...recall, content: "", pinyin: "" }), "recalled");
      const returned = idsOf(await returnedBy(messages, searchFor([room], { words: [[[term(1)]]] })));
      assert.ok(returned.includes(stored[0]?.id ?? 0));
      assert.ok(!returned.includes(stored[1]?.id ?? 0));
    }
  },

  "of ten thousand messages every one is found, in one room and among others": async ({ storage: { messages } }) => {
    const stored: MessageRecord[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      const appends = Array.from({ length: 500 }, (_, index) => {
        const number = turn * 500 + index;
        return withTerms(
          [term(number), term(1_000_000 + (number % 2))],
          now + number,
          number % 100 === 7 ? room + 1 : room,
        );
      });
      stored.push(...(await appendMessages(messages, appends)));
      if (turn % 4 === 3) await indexAll(messages);
    }
    for (const number of [0, 7, 1, 4095, 4096, 4200, 8191, 9000, 9999]) {
      const asked = searchFor([room, room + 1], { words: [[[term(number)]]], limit: 1000 });
      assert.ok((await findIds(messages, asked)).includes(stored[number]?.id ?? 0), `message ${number}`);
    }
    const odd = searchFor([room], { words: [[[term(1_000_001)]]], limit: 999, createdAfter: now + 500 });
    const found = new Set(await findIds(messages, odd));
    const missing = stored.filter(
      ({ id, groupId }, number) => groupId === room && number % 2 === 1 && number > 500 && !found.has(id),
    );
    assert.deepEqual(missing, []);
  },

  "of two hundred rooms the end is reached in six calls, with terms and without": async ({ storage: { messages } }) => {
    const rooms = Array.from({ length: 200 }, (_, index) => room + index);
    const stored: MessageRecord[] = [];
    for (let number = 0; number < 50; number += 1) {
      stored.push(
        ...(await appendMessages(
          messages,
          rooms.map((groupId) => withTerms([term(groupId), term(number)], now, groupId)),
        )),
      );
    }
    const callsFor = async (wanted: number): Promise<[calls: number, found: number]> => {
      const asked = searchFor(rooms, { words: [[[wanted]]], limit: 20 });
      let found = 0;
      for (let [calls, before] = [1, asked.before]; ; calls += 1) {
        const page = await messages.search({ ...asked, before });
        found += page.messages.filter((message) => termsIn(message).includes(wanted)).length;
        if (page.next === null || found >= 20) return [calls, found];
        before = page.next;
      }
    };
    for (const isIndexed of [false, true]) {
      if (isIndexed) await indexAll(messages);
      for (const [wanted, least] of [
        [term(5_000_000), 0],
        [term(room + 150), 20],
        [term(0), 20],
      ] as const) {
        const [calls, found] = await callsFor(wanted);
        assert.ok(calls <= 6 && found >= least, `${calls} calls have found ${found} of ${stored.length} messages`);
      }
    }
  },
});
