import assert from "node:assert/strict";
import type { MessagePage, MessageRecord } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { appendMessages, fillRoom, idsOf, messageIn } from "../support/fixtures.ts";
import { createRandom } from "../testing/index.ts";

const room = 11;

/** A page according to the contract, from all messages of the room, oldest first. */
function expectedPage(all: readonly MessageRecord[], before: number | null, limit: number): MessagePage {
  const below = all.filter(({ id }) => before === null || id < before);
  const messages = below.slice(-limit).toReversed();
  const newestOfPage = below.length - 1;
  return {
    messages,
    newer: all.length - below.length,
    older: below.length - messages.length,
    above: all[newestOfPage + limit + 1]?.id ?? null,
    newest: all.at(-1)?.id ?? 0,
  };
}

/** Promises of a storage about pages of a room's history. */
export const historyCases: readonly StorageCase[] = defineCases("messages page", {
  "an empty room has an empty page": async ({ storage: { messages } }) => {
    await fillRoom(messages, room + 1, 2);
    const empty = { messages: [], newer: 0, older: 0, above: null, newest: 0 };
    assert.deepEqual(await messages.page({ groupId: room, before: null, limit: 10 }), empty);
    assert.deepEqual(await messages.page({ groupId: room, before: 5, limit: 10 }), empty);
  },

  "a page counts the messages above and below it, for every cursor": async ({ storage: { messages } }) => {
    const random = createRandom(11);
    const stored = await appendMessages(
      messages,
      Array.from({ length: 60 }, (_, index) => messageIn(room + random.below(3), `message ${index}`)),
    );
    const all = stored.filter(({ groupId }) => groupId === room);
    const edges = [null, 0, 1, (all.at(-1)?.id ?? 0) + 1, 2 ** 53 - 1];
    // Every id of every room: most of them are not messages of this room, but still positions.
    for (const before of [...edges, ...idsOf(stored)]) {
      for (const limit of [1, 2, 3, 7, 20, 100]) {
        const page = await messages.page({ groupId: room, before, limit });
        assert.deepEqual(page, expectedPage(all, before, limit), `before ${before}, limit ${limit}`);
      }
    }
  },

  "following the pages down shows every message once, whatever arrives meanwhile": async ({
    storage: { messages },
  }) => {
    const stored = await fillRoom(messages, room, 25);
    const seen: MessageRecord[] = [];
    let before: number | null = null;
    for (let page = 0; page < 10; page += 1) {
      const { messages: shown }: MessagePage = await messages.page({ groupId: room, before, limit: 4 });
      seen.push(...shown);
      before = shown.at(-1)?.id ?? 0;
      await fillRoom(messages, room, 2);
    }
    assert.deepEqual(seen, stored.toReversed());
  },

  "following the pages up by `above` meets the pages that went down": async ({ storage: { messages } }) => {
    await fillRoom(messages, room, 20);
    const down: MessagePage[] = [];
    for (let before: number | null = null; before !== 0; before = down.at(-1)?.messages.at(-1)?.id ?? 0) {
      down.push(await messages.page({ groupId: room, before, limit: 5 }));
      if (down.at(-1)?.older === 0) break;
    }
    const up: MessagePage[] = [];
    for (let page = down.at(-1); page !== undefined && page.newer > 0; page = up.at(-1)) {
      up.push(await messages.page({ groupId: room, before: page.above ?? page.newest + 1, limit: 5 }));
    }
    assert.deepEqual(up, down.slice(0, -1).toReversed());
  },

  "a page is right while messages arrive": async ({ storage, race }) => {
    await fillRoom(storage.messages, room, 10);
    const pages = await race(30, async ({ messages }, caller) => {
      if (caller % 2 === 0) await messages.append(messageIn(room, `message ${caller}`));
      return messages.page({ groupId: room, before: null, limit: 5 });
    });
    for (const { messages, newer, older, above, newest } of pages) {
      assert.equal(newest, messages[0]?.id);
      assert.deepEqual([newer, above, older], [0, null, (messages.at(-1)?.seq ?? 0) - 1]);
    }
  },
});
