import assert from "node:assert/strict";
import { characterTerm, createSearchReader } from "@telex/search-terms";
import type { MessageRecord } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { expectOutcome } from "../support/expect.ts";
import { appendMessages, idsOf, messageIn, now, searchFor } from "../support/fixtures.ts";
import {
  appendIndexed,
  findAll,
  findIds,
  indexAll,
  outdatedIds,
  recordsOf,
  returnedBy,
  room,
  term,
  termsIn,
  withTerms,
} from "./search-kit.ts";

/** Promises about the terms of messages, and their renewal in a later version. */
export const searchIndexCases: readonly StorageCase[] = defineCases("messages search", {
  "messages that were put as records are found, and get their terms": async ({ storage, reopen }) => {
    const stored = await appendMessages(
      storage.messages,
      Array.from({ length: 1200 }, () => withTerms([term(1)])),
    );
    await indexAll(storage.messages);
    const put = recordsOf(stored);
    await storage.records.put("messages", put);
    const query = searchFor([room, room + 1], { words: [[[term(1)]]], limit: 100 });
    const { messages, isComplete } = await storage.messages.search({ ...query, words: [[[term(2)]]] });
    assert.equal(isComplete, false);
    assert.ok(messages.length < 1000, `one call has returned ${messages.length} messages without terms`);
    const expected = [...idsOf(put), ...idsOf(stored)].toSorted((one, other) => other - one);
    assert.deepEqual(await findIds(storage.messages, query), expected);
    const again = await reopen();
    const indexed = await indexAll(again.messages);
    assert.ok(indexed > put.length - 16 && indexed <= put.length, `${indexed} messages got terms`);
    assert.equal((await again.messages.search(query)).isComplete, true);
    const [later] = await appendMessages(again.messages, [withTerms([term(1)], now, room + 1)]);
    assert.deepEqual(await findIds(again.messages, query), [later?.id, ...expected]);
  },

  "messages of many rooms get their terms": async ({ storage: { messages } }) => {
    const appends = Array.from({ length: 40 * 17 }, (_, index) => withTerms([term(index)], now, room + (index % 40)));
    await appendMessages(messages, appends);
    const indexed = await indexAll(messages);
    assert.ok(indexed >= 40 * 2, `${indexed} messages got terms`);
    for (const number of [0, 39, 40, 679]) {
      const query = searchFor([room + (number % 40)], { words: [[[term(number)]]] });
      assert.deepEqual((await findAll(messages, query)).map(termsIn), [[term(number)]]);
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
    const query = searchFor([room], { words: [[[term(1)]]] });
    for (const { id, seq } of [
      { id: first?.id ?? 0, seq: first?.seq ?? 0 },
      { id: 999_999, seq: 999_999 },
    ])
      await messages.index([{ groupId: room, seq, id, terms: [term(2)] }]);
    assert.deepEqual(await findIds(messages, query), [second?.id, first?.id]);
  },
});
