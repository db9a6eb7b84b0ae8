import { type BrokenStorage, override } from "./spoil.ts";

const name = (sentence: string): string => `messages search: ${sentence}`;

/** Wrong stores of the search. */
export const brokenSearches: readonly BrokenStorage[] = [
  {
    fault: "one word of several is enough",
    found: [name("few messages are returned that lack a term")],
    spoil: override("messages", (store) => ({
      search: (asked) => store.search({ ...asked, words: [asked.words.flat()] }),
    })),
  },
  {
    fault: "only the first spelling counts",
    found: [name("a message has every term of one spelling of every word")],
    spoil: override("messages", (store) => ({
      search: (asked) => store.search({ ...asked, words: asked.words.map((spellings) => spellings.slice(0, 1)) }),
    })),
  },
  {
    fault: "a call ends after a message of each of a few rooms",
    found: [name("of two hundred rooms the end is reached in six calls, with terms and without")],
    spoil: override("messages", (store) => ({
      async search(asked) {
        const { messages, next, isComplete } = await store.search(asked);
        const some = messages.slice(0, 50);
        return { messages: some, next: some.length < messages.length ? (some.at(-1)?.id ?? null) : next, isComplete };
      },
    })),
  },
  {
    fault: "what was recalled gets its pinyin again",
    found: [name("messages of another version are given out until they were renewed")],
    spoil: override("messages", (store) => ({
      async renew(messages) {
        const current = await Promise.all(messages.map(({ groupId, id }) => store.findMessage(groupId, id)));
        await store.renew(messages.map((one, at) => ({ ...one, content: current[at]?.content ?? one.content })));
      },
    })),
  },
  {
    fault: "every message is returned",
    found: [name("few messages are returned that lack a term")],
    spoil: override("messages", (store) => ({ search: (asked) => store.search({ ...asked, words: [[[]]] }) })),
  },
  {
    fault: "messages without terms are not returned",
    found: [
      name("a message is found as soon as it is stored, before and after it gets its terms"),
      name("messages that were put as records are found, and get their terms"),
    ],
    spoil: override("messages", (store) => {
      const indexed = new Set<number>();
      return {
        async index(messages) {
          for (const { id } of messages) indexed.add(id);
          await store.index(messages);
        },
        async search(asked) {
          const found = await store.search(asked);
          return { ...found, messages: found.messages.filter(({ id }) => indexed.has(id)) };
        },
      };
    }),
  },
  {
    fault: "the terms of the last server count",
    found: [name("a message has every term of one spelling of every word")],
    spoil: override("messages", (store) => {
      const without = new Set<number>();
      return {
        async index(messages) {
          for (const { id, terms } of messages) if (terms.length === 0) without.add(id);
          await store.index(messages);
        },
        async search(asked) {
          const found = await store.search(asked);
          return { ...found, messages: found.messages.filter(({ id }) => !without.has(id)) };
        },
      };
    }),
  },
  {
    fault: "one call reads everything",
    found: [name("messages that were put as records are found, and get their terms")],
    spoil: override("messages", (store) => ({
      async search(asked) {
        const found = await store.search(asked);
        const messages = [...found.messages];
        for (let { next } = found; next !== null;) {
          const more = await store.search({ ...asked, before: next });
          messages.push(...more.messages);
          ({ next } = more);
        }
        return { ...found, messages, next: null };
      },
    })),
  },
  {
    fault: "each room has as many messages as are asked for",
    found: [name("a page has at most as many messages with terms as are asked for, of one room and of several")],
    spoil: override("messages", (store) => ({
      search: (asked) => store.search({ ...asked, limit: asked.limit * asked.groupIds.length }),
    })),
  },
  {
    fault: "rooms come one after another",
    found: [name("only messages of the rooms are found, those of all of them by id")],
    spoil: override("messages", (store) => ({
      async search(asked) {
        const pages = await Promise.all(
          asked.groupIds.map((groupId) => store.search({ ...asked, groupIds: [groupId] })),
        );
        const messages = pages.flatMap((page) => page.messages).slice(0, asked.limit);
        const last = pages.flatMap(({ next }) => (next === null ? [] : [next]));
        return { messages, next: last.length === 0 ? null : Math.max(...last), isComplete: true };
      },
    })),
  },
  {
    fault: "the bounds of the time are inside",
    found: [name("a page begins below a position, and both bounds of the time are outside")],
    spoil: override("messages", (store) => ({
      search: (asked) =>
        store.search({
          ...asked,
          createdAfter: asked.createdAfter === null ? null : asked.createdAfter - 1,
          createdBefore: asked.createdBefore === null ? null : asked.createdBefore + 1,
        }),
    })),
  },
  {
    fault: "the next page begins at the top again",
    found: [name("following the pages shows every message once, even if others arrive meanwhile")],
    spoil: override("messages", (store) => ({
      async search(asked) {
        const page = await store.search(asked);
        return { ...page, next: page.next === null ? null : page.next + 1 };
      },
    })),
  },
  {
    fault: "the search ends with the first page",
    found: [
      name("following the pages shows every message once, even if others arrive meanwhile"),
      name("of ten thousand messages every one is found, in one room and among others"),
    ],
    spoil: override("messages", (store) => ({
      search: async (asked) => ({ ...(await store.search(asked)), next: null }),
    })),
  },
  {
    fault: "a recall leaves the message in the index",
    found: [name("a recalled message is not returned, with terms and without")],
    spoil: override("messages", (store) => ({
      recall: async (recall) => {
        const message = await store.findMessage(recall.groupId, recall.messageId);
        if (message === null) return { outcome: "missing" };
        const { messageId, groupId, operatorId, external } = recall;
        return {
          outcome: "recalled",
          message,
          recall: { id: 1, seq: message.seq, messageId, groupId, operatorId, external },
        };
      },
    })),
  },
  {
    fault: "the search is always complete",
    found: [name("messages that were put as records are found, and get their terms")],
    spoil: override("messages", (store) => ({
      search: async (asked) => ({ ...(await store.search(asked)), isComplete: true }),
    })),
  },
  {
    fault: "messages are never given out to get terms",
    found: [
      name("few messages are returned that lack a term"),
      name("messages that were put as records are found, and get their terms"),
      name("messages of many rooms get their terms"),
    ],
    spoil: override("messages", () => ({ listUnindexed: () => Promise.resolve([]) })),
  },
];
