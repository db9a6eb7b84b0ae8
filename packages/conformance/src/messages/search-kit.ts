import assert from "node:assert/strict";
import type { MessageAppend, MessageRecord, MessageSearch, MessageStore } from "@telex/core/storage";
import { appendMessages, idsOf, messageIn, now } from "../support/fixtures.ts";

export const room = 11;

/** A message that must get these terms, which its text names. */
export const withTerms = (terms: readonly number[], createTime = now, groupId = room) =>
  messageIn(groupId, `terms ${terms.join(" ")}`, {}, { createTime });

export const termsIn = ({ content }: Pick<MessageRecord, "content">): number[] =>
  (content.match(/\d+/g) ?? []).map(Number);

/** Terms that differ in many bits, as those of core do. */
export const term = (number: number): number => Math.imul(number, 0x9e3779b1) >>> 0;

/** Gives their terms to all messages that the store returns for that. Returns their number. */
export async function indexAll(store: MessageStore): Promise<number> {
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

/** Stores messages, and gives them their terms: later ones fill the part that a store holds back. */
export async function appendIndexed(store: MessageStore, appends: readonly MessageAppend[]): Promise<MessageRecord[]> {
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
export async function returnedBy(store: MessageStore, asked: MessageSearch): Promise<MessageRecord[]> {
  const returned: MessageRecord[] = [];
  for (let before = asked.before; ;) {
    const { messages, next } = await store.search({ ...asked, before });
    returned.push(...messages);
    if (next === null) return returned;
    assert.ok(before === null || next < before, `next is ${next} and must be below ${before}`);
    before = next;
  }
}

/** The messages that a caller finds by reading the results of the store. */
export async function findAll(store: MessageStore, asked: MessageSearch): Promise<MessageRecord[]> {
  return (await returnedBy(store, asked)).filter((message) => {
    const terms = new Set(termsIn(message));
    return asked.words.every((spellings) => spellings.some((spelling) => spelling.every((one) => terms.has(one))));
  });
}

export const findIds = async (store: MessageStore, asked: MessageSearch): Promise<number[]> =>
  idsOf(await findAll(store, asked));

/** Messages as records that were stored elsewhere. */
export const recordsOf = (stored: readonly MessageRecord[]): MessageRecord[] =>
  stored.map((message) => ({ ...message, groupId: room + 1, id: message.id + 10_000 }));

export const outdatedIds = async (store: MessageStore): Promise<number[]> =>
  idsOf(await store.listOutdated()).toSorted((one, other) => one - other);
