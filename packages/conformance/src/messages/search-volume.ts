import type { MessageRecord } from "@telex/core/storage";
import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { appendMessages, now, searchFor } from "../support/fixtures.ts";
import { findIds, indexAll, room, term, termsIn, withTerms } from "./search-kit.ts";

/** Promises about searching many messages and many rooms. */
export const searchVolumeCases: readonly StorageCase[] = defineCases("messages search", {
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
      const query = searchFor([room, room + 1], { words: [[[term(number)]]], limit: 1000 });
      assert.ok((await findIds(messages, query)).includes(stored[number]?.id ?? 0), `message ${number}`);
    }
    const odd = searchFor([room], { words: [[[term(1_000_001)]]], limit: 999, createdAfter: now + 500 });
    const ids = new Set(await findIds(messages, odd));
    const missing = stored.filter(
      ({ id, groupId }, number) => groupId === room && number % 2 === 1 && number > 500 && !ids.has(id),
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
      const query = searchFor(rooms, { words: [[[wanted]]], limit: 20 });
      let count = 0;
      for (let [calls, before] = [1, query.before]; ; calls += 1) {
        const page = await messages.search({ ...query, before });
        count += page.messages.filter((message) => termsIn(message).includes(wanted)).length;
        if (page.next === null || count >= 20) return [calls, count];
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
