import assert from "node:assert/strict";
import { characterTerm, createSearchReader } from "@telex/search-terms";
import type { MessageAppend, MessageRecord, MessageSearch, MessageStore } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { expectOutcome } from "../support/expect.ts";
import { appendMessages, idsOf, messageIn, now, searchFor } from "../support/fixtures.ts";
import { createRandom } from "@telex/core/testing";

const room = 11;

/** A message that is to get these terms: its text says which. */
const withTerms = (terms: readonly number[], createTime = now, groupId = room) =>
  messageIn(groupId, `terms ${terms.join(" ")}`, {}, { createTime });

const termsIn = ({ content }: Pick<MessageRecord, "content">): number[] => (content.match(/\d+/g) ?? []).map(Number);

/** Terms that differ in many bits, as those of core do. */
const term = (number: number): number => Math.imul(number, 0x9e3779b1) >>> 0;

/** Gives their terms to all messages that the store gives out. Returns how many. */
async function indexAll(store: MessageStore): Promise<number> {
  const seen = new Set<number>();
  for (;;) {
    const places = await store.listUnindexed();
    if (places.length === 0) return seen.size;
    assert.ok(places.length <= 128, `${places.length} messages are to be indexed together`);
    for (const { id } of places) {
      assert.ok(!seen.has(id), `message ${id} has its terms already`);
      seen.add(id);
    }
    const messages = await Promise.all(places.map(({ groupId, id }) => store.findMessage(groupId, id)));
    const terms = places.map(({ groupId, seq, id }, at) => {
      const message = messages[at];
      return { groupId, seq, id, terms: message ? termsIn(message) : [] };
    });
    await store.index(terms);
    // Another server did the same.
    await store.index(terms.map((one) => ({ ...one, terms: [] })));
  }
}

/** Stores messages, and gives them their terms: others behind them fill what a store keeps back. */
async function appendIndexed(store: MessageStore, appends: readonly MessageAppend[]): Promise<MessageRecord[]> {
  const stored = await appendMessages(store, appends);
  const rooms = new Set(appends.map(({ message }) => message.groupId));
  for (const groupId of rooms) {
    await appendMessages(
      store,
      Array.from({ length: 15 }, () => withTerms([], now, groupId)),
    );
  }
  await indexAll(store);
  return stored;
}

/** Everything that a store returns, by following `next` to its end. */
async function returnedBy(store: MessageStore, asked: MessageSearch): Promise<MessageRecord[]> {
  const returned: MessageRecord[] = [];
  for (let before = asked.before; ;) {
    const { messages, next } = await store.search({ ...asked, before });
    returned.push(...messages);
    if (next === null) return returned;
    assert.ok(before === null || next < before, `next is ${next} and must be below ${before}`);
    before = next;
  }
}

/** What a caller finds, that reads what is returned. */
async function findAll(store: MessageStore, asked: MessageSearch): Promise<MessageRecord[]> {
  const returned = await returnedBy(store, asked);
  return returned.filter((message) => {
    const terms = new Set(termsIn(message));
    return asked.words.every((spellings) => spellings.some((spelling) => spelling.every((one) => terms.has(one))));
  });
}

const findIds = async (store: MessageStore, asked: MessageSearch): Promise<number[]> =>
  idsOf(await findAll(store, asked));

/** Messages as records that were stored elsewhere. */
const recordsOf = (stored: readonly MessageRecord[]): MessageRecord[] =>
  stored.map((message) => ({ ...message, groupId: room + 1, id: message.id + 10_000 }));

const outdatedIds = async (store: MessageStore): Promise<number[]> =>
  idsOf(await store.listOutdated()).toSorted((one, other) => one - other);

/** What a storage promises of the search for messages by their terms. */
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

  "messages that were put as records are found, and get their terms": async ({ storage, reopen }) => {
    const stored = await appendMessages(
      storage.messages,
      Array.from({ length: 1200 }, () => withTerms([term(1)])),
    );
    await indexAll(storage.messages);
    const put = recordsOf(stored);
    await storage.records.put("messages", put);
    const asked = searchFor([room, room + 1], { words: [[[term(1)]]], limit: 100 });
    const { messages, isComplete } = await storage.messages.search({ ...asked, words: [[[term(2)]]] });
    assert.equal(isComplete, false);
    assert.ok(messages.length < 1000, `one call has returned ${messages.length} messages without terms`);
    const expected = [...idsOf(put), ...idsOf(stored)].toSorted((one, other) => other - one);
    assert.deepEqual(await findIds(storage.messages, asked), expected);
    const again = await reopen();
    const indexed = await indexAll(again.messages);
    assert.ok(indexed > put.length - 16 && indexed <= put.length, `${indexed} messages got terms`);
    assert.equal((await again.messages.search(asked)).isComplete, true);
    const [later] = await appendMessages(again.messages, [withTerms([term(1)], now, room + 1)]);
    assert.deepEqual(await findIds(again.messages, asked), [later?.id, ...expected]);
  },

  "messages of many rooms get their terms": async ({ storage: { messages } }) => {
    const appends = Array.from({ length: 40 * 17 }, (_, index) => withTerms([term(index)], now, room + (index % 40)));
    await appendMessages(messages, appends);
    const indexed = await indexAll(messages);
    assert.ok(indexed >= 40 * 2, `${indexed} messages got terms`);
    for (const number of [0, 39, 40, 679]) {
      const asked = searchFor([room + (number % 40)], { words: [[[term(number)]]] });
      assert.deepEqual((await findAll(messages, asked)).map(termsIn), [[term(number)]]);
    }
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

  "a traditional text that an earlier version has indexed is found before it is renewed": async ({ storage }) => {
    const { messages } = storage;
    const reader = createSearchReader((character) => (character === "站" ? ["zhan4"] : ["shai4"]));
    const write = (text: string) =>
      messageIn(room, text, {}, { content: JSON.stringify([{ text: { text } }]), pinyin: "[]" });
    const texts = ["曬", "曬佈", "晒", "ok曬", "站"];
    const stored = await appendMessages(messages, [...texts, ...Array.from({ length: 11 }, () => "a")].map(write));
    const later = new Set([..."晒布"].map(characterTerm));
    const isOld = ({ content }: MessageRecord): boolean => content.includes("曬");
    const termsOf = (one: MessageRecord) => reader.terms(one).filter((number) => !isOld(one) || !later.has(number));
    await messages.listUnindexed();
    await messages.index(stored.map((one) => ({ ...one, terms: termsOf(one) })));
    const find = async (query: string): Promise<readonly string[]> => {
      const words = reader.words(query).map((word) => reader.spellings(word));
      const ids = idsOf(await returnedBy(messages, searchFor([room], { words })));
      return texts.filter((_, at) => ids.includes(stored[at]?.id ?? 0));
    };
    assert.deepEqual(await find("曬"), ["曬", "曬佈", "晒", "ok曬"]);
    assert.deepEqual(await find("曬佈"), ["曬佈"]);
    assert.deepEqual(await find("ok曬"), ["ok曬"]);
  },

  "messages of another version are given out until they were renewed": async ({ storage, reopen }) => {
    const { messages } = storage;
    const stored = await appendMessages(
      messages,
      Array.from({ length: 20 }, () => withTerms([term(1)])),
    );
    await indexAll(messages);
    assert.deepEqual(await messages.listOutdated(), []);
    const [first, second, third, fourth, ...rest] = recordsOf(stored);
    assert.ok(first && second && third && fourth);
    await storage.records.put("messages", [first, second, third, fourth, ...rest]);
    await indexAll(messages);
    assert.deepEqual(await outdatedIds(messages), idsOf(recordsOf(stored)));
    assert.deepEqual([await messages.countOutdated(100), await messages.countOutdated(7)], [20, 7]);
    const texts = { pinyin: "new", nicknamePinyin: "newer" };
    const fresh = { ...texts, terms: [term(1), term(77)] };
    const recall = { groupId: third.groupId, messageId: third.id, operatorId: "7", external: false, ownSince: null };
    expectOutcome(await messages.recall({ ...recall, content: "[]", pinyin: "[]" }), "recalled");
    await messages.renew([
      { ...first, fresh },
      { ...second, fresh: null },
      { ...third, fresh },
      { ...fourth, id: fourth.id + 1000, fresh },
    ]);
    const found = async (id: number) => await messages.findMessage(first.groupId, id);
    assert.deepEqual(await found(first.id), { ...first, ...texts });
    assert.deepEqual(await found(second.id), second);
    assert.equal((await found(third.id))?.pinyin, "[]");
    assert.deepEqual(await found(fourth.id), fourth);
    const withNew = await returnedBy(messages, searchFor([first.groupId], { words: [[[term(77)]]] }));
    assert.ok(idsOf(withNew).includes(first.id));
    const again = await reopen();
    const left = idsOf([third, fourth, ...rest]);
    assert.deepEqual(await outdatedIds(again.messages), left);
    await again.messages.renew((await again.messages.listOutdated()).map((one) => ({ ...one, fresh: null })));
    assert.deepEqual(await again.messages.listOutdated(), []);
    assert.equal(await again.messages.countOutdated(100), 0);
  },

  "only what was given out gets terms": async ({ storage: { messages } }) => {
    const [first, second] = await appendIndexed(messages, [withTerms([term(1)]), withTerms([term(1)])]);
    const asked = searchFor([room], { words: [[[term(1)]]] });
    for (const { id, seq } of [
      { id: first?.id ?? 0, seq: first?.seq ?? 0 },
      { id: 999_999, seq: 999_999 },
    ]) {
      await messages.index([{ groupId: room, seq, id, terms: [term(2)] }]);
    }
    assert.deepEqual(await findIds(messages, asked), [second?.id, first?.id]);
  },
});
