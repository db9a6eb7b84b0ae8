import assert from "node:assert/strict";
import type { MessageAmend, MessageRecord, MessageStore } from "@telex/core/storage";
import { changeNames } from "../stores/changes.ts";
import { defineCases, type StorageCase } from "../support/case.ts";
import { expectRising, upTo, withOutcome } from "../support/expect.ts";
import { appendMessages, fillRoom, idsOf, messageIn, nonceLife, searchFor } from "../support/fixtures.ts";
import { recall, room } from "./recall.ts";
import { appendIndexed, findAll, term, termsIn, withTerms } from "./search-kit.ts";

type Decide = MessageAmend["decide"];

/** New texts, whose terms they name. */
const textsOf = (terms: readonly number[]) => {
  const content = `terms ${terms.join(" ")}`;
  return { type: 0 as const, content, pinyin: content, mentions: null, terms };
};

const withExtras =
  (extras: string): Decide =>
  () => ({ texts: null, extras });

async function amend(store: MessageStore, messageId: number, decide: Decide): Promise<MessageRecord> {
  return withOutcome(await store.amend({ groupId: room, messageId, decide }), "amended").message;
}

const amendedSince = (store: MessageStore, after: number, limit = 100, groupIds = [room]) =>
  store.listAmended({ groupIds, after, limit });

/** The numbers of the callers who have added themselves. */
const callersIn = ({ extras }: MessageRecord): readonly number[] =>
  (extras ?? "").split(" ").filter(Boolean).map(Number);

/** Promises of a storage about changed messages. */
export const amendCases: readonly StorageCase[] = defineCases("messages amended", {
  "a message comes with its extras, and does not count as changed": async ({ storage, reopen }) => {
    const [stored] = await appendMessages(storage.messages, [messageIn(room, "posted", {}, { extras: '{"a":1}' })]);
    const { messages } = await reopen();
    assert.deepEqual(await messages.findMessage(room, stored?.id ?? 0), stored);
    assert.deepEqual([stored?.extras, stored?.changed], ['{"a":1}', 0]);
    assert.deepEqual(await amendedSince(messages, 0), []);
  },

  "a changed message has its new texts and extras, and keeps its other fields": async ({ storage, reopen }) => {
    const network = { account: "bot-1", messageIds: ["m-1"] };
    const nonce = { value: "n", fingerprint: "f", life: nonceLife };
    const append = messageIn(room, "first", { nonce, network }, { type: 3, botMessageId: "m-1", mentions: " 5 " });
    const [before, other] = await appendMessages(storage.messages, [append, messageIn(room, "another")]);
    const texts = { type: 2 as const, content: "后来的", pinyin: "hou4", mentions: " 7 8 ", terms: [] };
    const decide: Decide = (message) => {
      assert.deepEqual(message, before);
      return { texts, extras: '{"editedAt":1}' };
    };
    const message = await amend(storage.messages, before?.id ?? 0, decide);
    const { changed } = message;
    const { terms: _terms, ...kept } = texts;
    assert.deepEqual(message, { ...before, ...kept, extras: '{"editedAt":1}', changed });
    expectRising([before?.id ?? 0, other?.id ?? 0, changed], "The ids");
    const { messages } = await reopen();
    assert.deepEqual(await messages.findMessage(room, message.id), message);
    assert.deepEqual((await messages.page({ groupId: room, before: null, limit: 10 })).messages, [other, message]);
    assert.deepEqual((await messages.listSince({ groupIds: [room], after: 0, limit: 9, bytes: 999 }))?.[0], message);
    assert.deepEqual(await messages.findNetworkMessage({ account: "bot-1", groupId: room, messageId: "m-1" }), message);
    assert.deepEqual(await messages.append(append), { outcome: "repeated", message });
    assert.deepEqual(await amendedSince(messages, 0), [message]);
    const [next] = await fillRoom(messages, room, 1);
    expectRising([changed, next?.id ?? 0], "The ids");
    assert.equal(next?.seq, 3);
  },

  "extras change without the texts, and an empty change changes nothing": async ({ storage }) => {
    const { messages, changes } = storage;
    const [before] = await appendMessages(messages, [messageIn(room, "text", {}, { mentions: " * " })]);
    const id = before?.id ?? 0;
    const message = await amend(messages, id, withExtras("a"));
    assert.deepEqual(message, { ...before, extras: "a", changed: message.changed });
    const same = await messages.amend({ groupId: room, messageId: id, decide: () => null });
    assert.deepEqual(same, { outcome: "same", message });
    assert.deepEqual(await messages.findMessage(room, id), message);
    assert.deepEqual(await changeNames(changes, 0), [`amended ${room}/${message.changed}`]);
  },

  "a message that is missing or was recalled cannot be changed": async ({ storage: { messages } }) => {
    const [recalled] = await fillRoom(messages, room, 1);
    const id = recalled?.id ?? 0;
    await amend(messages, id, () => ({ texts: { ...textsOf([1]), mentions: " 5 " }, extras: "a" }));
    const { message } = await recall(messages, id);
    assert.deepEqual([message.extras, message.mentions], [null, null]);
    assert.deepEqual(await messages.findMessage(room, id), message);
    for (const [groupId, messageId] of [
      [room, id],
      [room, id + 100],
      [room + 1, id],
    ] as const)
      assert.deepEqual(await messages.amend({ groupId, messageId, decide: withExtras("b") }), { outcome: "missing" });
    assert.deepEqual(await messages.findMessage(room, id), message);
  },

  "of 20 simultaneous changes none is lost": async ({ storage, race }) => {
    const [message] = await fillRoom(storage.messages, room, 1);
    const id = message?.id ?? 0;
    const results = await race(20, ({ messages }, caller) =>
      amend(messages, id, (now) => ({ texts: null, extras: `${now.extras ?? ""}${caller} ` })),
    );
    const latest = await storage.messages.findMessage(room, id);
    assert.deepEqual(
      latest && callersIn(latest).toSorted((a, b) => a - b),
      Array.from({ length: 20 }, (_, caller) => caller),
    );
    const ordered = results.toSorted((a, b) => a.changed - b.changed);
    assert.equal(new Set(ordered.map(({ changed }) => changed)).size, 20);
    assert.deepEqual(
      ordered.map((one) => callersIn(one).length),
      upTo(20),
    );
    assert.deepEqual(await amendedSince(storage.messages, 0), [ordered.at(-1)]);
  },

  "a change and a recall that meet leave an empty message": async ({ storage, race }) => {
    const stored = await fillRoom(storage.messages, room, 6);
    await race(12, async ({ messages }, caller) => {
      const { id = 0 } = stored[Math.floor(caller / 2)] ?? {};
      if (caller % 2 === 0) await recall(messages, id);
      else await messages.amend({ groupId: room, messageId: id, decide: () => ({ texts: textsOf([1]), extras: "a" }) });
    });
    for (const { id } of stored) {
      const message = await storage.messages.findMessage(room, id);
      assert.deepEqual([message?.content, message?.extras], ["recalled", null]);
    }
  },

  "changed messages are listed by their last change, or null if they are too many": async ({ storage }) => {
    const { messages } = storage;
    const appends = upTo(9).map((number) => messageIn(room + (number % 3), `message ${number}`));
    const stored = await appendMessages(messages, appends);
    const made: MessageRecord[] = [];
    for (const { id, groupId } of [...stored.toReversed(), ...stored.slice(0, 2)]) {
      const changed = await messages.amend({ groupId, messageId: id, decide: withExtras("a") });
      const { message } = withOutcome(changed, "amended");
      const at = made.findIndex((one) => one.id === id);
      if (at >= 0) made.splice(at, 1);
      made.push(message);
    }
    for (const groupIds of [[room], [room + 2, room], [room, room + 1, room + 2], [99], []]) {
      for (const after of [0, made[3]?.changed ?? 0, made[8]?.changed ?? 0]) {
        for (const limit of [0, 2, 100]) {
          const missed = made.filter(({ groupId, changed }) => groupIds.includes(groupId) && changed > after);
          const listed = await amendedSince(messages, after, limit, groupIds);
          assert.deepEqual(listed, missed.length > limit ? null : missed);
        }
      }
    }
  },

  "a changed message is found by its new texts, whether it was indexed before or not": async ({ storage }) => {
    const { messages } = storage;
    const [old] = await appendIndexed(messages, [withTerms([term(1)])]);
    const fresh = await appendMessages(messages, [
      withTerms([term(1)]),
      ...Array.from({ length: 15 }, () => withTerms([])),
    ]);
    const places = await messages.listUnindexed();
    assert.ok(places.some(({ id }) => id === fresh[0]?.id));
    for (const id of idsOf([old, fresh[0]].filter((one) => one !== undefined)))
      await amend(messages, id, () => ({ texts: textsOf([term(2), term(3)]), extras: null }));
    // Terms of the old texts, which were on their way.
    await messages.index(places.map((place) => ({ ...place, terms: [term(1)] })));
    const matches = await findAll(messages, searchFor([room], { words: [[[term(2)]], [[term(3)]]] }));
    assert.deepEqual(matches.map(termsIn), [
      [term(2), term(3)],
      [term(2), term(3)],
    ]);
  },
});
