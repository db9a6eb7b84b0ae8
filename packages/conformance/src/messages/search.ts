import type { MessageSearch } from "@telex/core/storage";
import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { expectOutcome } from "../support/expect.ts";
import { appendMessages, idsOf, now, searchFor } from "../support/fixtures.ts";
import { createRandom } from "../testing/index.ts";
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
    const terms = [term(2_000_001), term(2_000_002)];
    for (const words of [[[terms]], [[[term(3)]], [terms]]]) {
      const { length } = await returnedBy(messages, searchFor([room], { words }));
      assert.ok(length < 40, `${length} of 500 messages were returned without a reason`);
    }
  },

  "a message is found as soon as it is stored, before and after it gets its terms": async (test) => {
    const { storage, second, reopen } = test;
    const other = await second();
    for (let count = 1; count <= 40; count += 1) {
      const [message] = await appendMessages(storage.messages, [withTerms([term(count), term(0)])]);
      const query = searchFor([room], { words: [[[term(count), term(0)]]], limit: 1 });
      assert.deepEqual(await findAll(other.messages, query), [message]);
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
      for (const limit of [1, 7, 100])
        assert.deepEqual(await findAll(messages, searchFor(groupIds, { words, limit })), expected);
    }
  },

  "a page begins below a position, and both bounds of the time are outside": async ({ storage: { messages } }) => {
    // The times of a network need not rise.
    const times = [5, 1, 4, 2, 3, 3];
    const appends = times.map((time) => withTerms([term(1)], now + time));
    const stored = await appendIndexed(messages, appends);
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

  "following the pages shows every message once, even if others arrive meanwhile": async ({
    storage: { messages },
  }) => {
    const stored = await appendIndexed(
      messages,
      Array.from({ length: 40 }, (_, index) => withTerms([term(index % 2)])),
    );
    const query = searchFor([room], { words: [[[term(1)]]], limit: 3 });
    const seen: number[] = [];
    for (let before: number | null = null; ;) {
      const page = await messages.search({ ...query, before });
      seen.push(...idsOf(page.messages.filter((message) => termsIn(message).includes(term(1)))));
      await appendMessages(messages, [withTerms([term(1)])]);
      if (page.next === null) break;
      before = page.next;
    }
    assert.deepEqual(seen, idsOf(stored.filter((_, index) => index % 2 === 1)).toReversed());
  },

  "a page has at most as many messages with terms as are asked for, of one room and of several": async ({
    storage: { messages },
  }) => {
    const appends = [room, room + 1].flatMap((groupId) =>
      Array.from({ length: 48 }, () => withTerms([term(1)], now, groupId)),
    );
    await appendIndexed(messages, appends);
    for (const groupIds of [[room], [room, room + 1]]) {
      const page = await messages.search(searchFor(groupIds, { words: [[[term(1)]]], limit: 5 }));
      const matches = page.messages.filter((message) => termsIn(message).includes(term(1)));
      assert.ok(matches.length <= 5, `${matches.length} messages were returned`);
    }
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
});
