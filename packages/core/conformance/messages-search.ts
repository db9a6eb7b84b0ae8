import assert from "node:assert/strict";
import type { MessageSearch } from "../src/messages/search/store.ts";
import type { MessageRecord, MessageStore } from "../src/messages/store.ts";
import { defineCases, type StorageCase } from "./case.ts";
import { expectOutcome } from "./expect.ts";
import { appendMessages, idsOf, messageIn, nonceLife, now, searchFor } from "./fixtures.ts";
import { createRandom } from "./random.ts";

const room = 11;

/** A message with these terms. */
const withTerms = (terms: readonly number[], createTime = now, groupId = room) =>
  messageIn(groupId, `terms ${terms.join(" ")}`, { terms }, { createTime });

/** Terms that differ in many bits, as those of core do. */
const term = (number: number): number => Math.imul(number, 0x9e3779b1) >>> 0;

/** Everything that is found, by following `next` to its end. */
async function findAll(store: MessageStore, asked: MessageSearch): Promise<MessageRecord[]> {
  const found: MessageRecord[] = [];
  for (let before = asked.before; ;) {
    const { messages, next } = await store.search({ ...asked, before });
    assert.ok(messages.length <= asked.limit);
    found.push(...messages);
    if (next === null) return found;
    assert.ok(before === null || next < before, `next is ${next} and must be below ${before}`);
    before = next;
  }
}

const findIds = async (store: MessageStore, asked: MessageSearch): Promise<number[]> =>
  idsOf(await findAll(store, asked));

/** Messages as records that were stored elsewhere, so that they have no terms. */
const recordsOf = (stored: readonly MessageRecord[]): MessageRecord[] =>
  stored.map((message) => ({ ...message, groupId: room + 1, id: message.id + 1000 }));

/** What a storage promises of the search for messages by their terms. */
export const searchCases: readonly StorageCase[] = defineCases("messages search", {
  "a message has every term of one spelling of every word": async ({ storage: { messages } }) => {
    const stored = await appendMessages(messages, [
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

  "few messages are found that lack a term": async ({ storage: { messages } }) => {
    const random = createRandom(5);
    const some = () => Array.from({ length: 40 }, () => term(random.below(1_000_000)));
    await appendMessages(
      messages,
      Array.from({ length: 500 }, () => withTerms(some())),
    );
    const wanted = [term(2_000_001), term(2_000_002)];
    const found = await findIds(messages, searchFor([room], { words: [[wanted]] }));
    assert.ok(found.length < 25, `${found.length} of 500 messages were found without a reason`);
  },

  "a message is found from the moment at which it is stored": async ({ storage, second, reopen }) => {
    const other = await second();
    for (let count = 1; count <= 20; count += 1) {
      const [message] = await appendMessages(storage.messages, [withTerms([term(count), term(0)])]);
      const asked = searchFor([room], { words: [[[term(count), term(0)]]], limit: 1 });
      assert.deepEqual((await other.messages.search(asked)).messages, [message]);
    }
    const { messages } = await reopen();
    assert.equal((await findIds(messages, searchFor([room], { words: [[[term(0)]]] }))).length, 20);
  },

  "a repeat changes no terms": async ({ storage: { messages } }) => {
    const nonce = { value: "n", fingerprint: "f", life: nonceLife };
    const [first] = await appendMessages(messages, [messageIn(room, "text", { nonce, terms: [term(1)] })]);
    expectOutcome(await messages.append(messageIn(room, "text", { nonce, terms: [term(2)] })), "repeated");
    assert.deepEqual(await findIds(messages, searchFor([room], { words: [[[term(1)]]] })), [first?.id]);
    assert.deepEqual(await findIds(messages, searchFor([room], { words: [[[term(2)]]] })), []);
  },

  "only messages of the rooms are found, those of all of them by id": async ({ storage: { messages } }) => {
    const random = createRandom(3);
    const stored = await appendMessages(
      messages,
      Array.from({ length: 90 }, () => withTerms([term(1)], now, room + random.below(4))),
    );
    const words = [[[term(1)]]];
    for (const groupIds of [[room], [room, room + 2], [room + 2, room, room], [room + 9], []]) {
      const expected = stored.filter(({ groupId }) => groupIds.includes(groupId)).toReversed();
      for (const limit of [1, 7, 100]) {
        assert.deepEqual(await findAll(messages, searchFor(groupIds, { words, limit })), expected);
      }
    }
  },

  "a page begins below a position, and both bounds of the time are outside": async ({ storage: { messages } }) => {
    // The times of a network need not rise.
    const times = [5, 1, 4, 2, 3, 3];
    const stored = await appendMessages(
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
    const stored = await appendMessages(
      messages,
      Array.from({ length: 40 }, (_, index) => withTerms([term(index % 2)])),
    );
    const asked = searchFor([room], { words: [[[term(1)]]], limit: 3 });
    const seen: number[] = [];
    for (let before: number | null = null; ;) {
      const page = await messages.search({ ...asked, before });
      seen.push(...idsOf(page.messages));
      await appendMessages(messages, [withTerms([term(1)])]);
      if (page.next === null) break;
      before = page.next;
    }
    assert.deepEqual(seen, idsOf(stored.filter((_, index) => index % 2 === 1)).toReversed());
  },

  "a recalled message is not found": async ({ storage: { messages } }) => {
    const stored = await appendMessages(messages, [withTerms([term(1)]), withTerms([term(1)])]);
    const recalled = stored[1]?.id ?? 0;
    const recall = { groupId: room, messageId: recalled, operatorId: "7", external: false, ownSince: null };
    expectOutcome(await messages.recall({ ...recall, content: "", pinyin: "" }), "recalled");
    assert.deepEqual(await findIds(messages, searchFor([room], { words: [[[term(1)]]] })), [stored[0]?.id]);
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

  "messages that were put as records are found when they have got their terms": async ({ storage, reopen }) => {
    const stored = await appendMessages(
      storage.messages,
      Array.from({ length: 20 }, () => withTerms([term(1)])),
    );
    const put = recordsOf(stored);
    await storage.records.put("messages", put);
    const asked = searchFor([room, room + 1], { words: [[[term(1)]]], limit: 100 });
    assert.equal((await storage.messages.search(asked)).isComplete, false);
    assert.equal((await storage.messages.search({ ...asked, groupIds: [room] })).isComplete, true);
    assert.deepEqual(await findIds(storage.messages, asked), idsOf(stored).toReversed());
    const { messages } = await reopen();
    // A message that comes meanwhile has its terms already.
    const [later] = await appendMessages(messages, [withTerms([term(1)], now, room + 1)]);
    let indexed = 0;
    for (;;) {
      const some = await messages.listUnindexed(7);
      if (some.length === 0) break;
      assert.ok(some.length <= 7);
      const terms = some.map(({ groupId, id }) => ({ groupId, id, terms: [term(1)] }));
      await messages.index(terms);
      // Another server did the same.
      await messages.index(terms.map((one) => ({ ...one, terms: [term(2)] })));
      indexed += some.length;
    }
    assert.equal(indexed, put.length);
    const { isComplete } = await messages.search(asked);
    assert.equal(isComplete, true);
    assert.deepEqual(
      await findIds(messages, asked),
      [later?.id ?? 0, ...idsOf(put).toReversed(), ...idsOf(stored).toReversed()].toSorted((a, b) => b - a),
    );
    assert.deepEqual(await findIds(messages, { ...asked, words: [[[term(2)]]] }), []);
  },

  "nobody else's message gets terms by `index`": async ({ storage: { messages } }) => {
    const [message] = await appendMessages(messages, [withTerms([term(1)])]);
    await messages.index([{ groupId: room, id: message?.id ?? 0, terms: [term(2)] }]);
    await messages.index([{ groupId: room, id: 999_999, terms: [term(2)] }]);
    assert.deepEqual(await findIds(messages, searchFor([room], { words: [[[term(2)]]] })), []);
    assert.equal((await messages.search(searchFor([room]))).isComplete, true);
  },
});
