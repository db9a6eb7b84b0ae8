import { type BrokenStorage, override } from "./spoil.ts";

const name = (sentence: string): string => `messages search: ${sentence}`;

/** Wrong stores of what a search looks in. */
export const brokenSearches: readonly BrokenStorage[] = [
  {
    fault: "one word of several is enough",
    found: [name("a message has every term of one spelling of every word")],
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
    fault: "every message is returned",
    found: [name("few messages are found that lack a term")],
    spoil: override("messages", (store) => ({ search: (asked) => store.search({ ...asked, words: [[[]]] }) })),
  },
  {
    fault: "terms are written later",
    found: [name("a message is found from the moment at which it is stored")],
    spoil: override("messages", (store) => {
      const newest = new Map<number, number>();
      return {
        async append(append) {
          const appended = await store.append(append);
          if ("message" in appended) newest.set(appended.message.groupId, appended.message.id);
          return appended;
        },
        search: (asked) =>
          store.search({ ...asked, before: asked.before ?? newest.get(asked.groupIds[0] ?? 0) ?? null }),
      };
    }),
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
    found: [name("following the pages shows every message once, whatever arrives meanwhile")],
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
      name("following the pages shows every message once, whatever arrives meanwhile"),
      name("of ten thousand messages every one is found, in one room and among others"),
    ],
    spoil: override("messages", (store) => ({
      search: async (asked) => ({ ...(await store.search(asked)), next: null }),
    })),
  },
  {
    fault: "a repeat brings its own terms",
    found: [name("a repeat changes no terms")],
    spoil: override("messages", (store) => ({
      append: (append) => store.append({ ...append, nonce: null }),
    })),
  },
  {
    fault: "a recall leaves the message in the index",
    found: [name("a recalled message is not found")],
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
    found: [name("messages that were put as records are found when they have got their terms")],
    spoil: override("messages", (store) => ({
      search: async (asked) => ({ ...(await store.search(asked)), isComplete: true }),
    })),
  },
  {
    fault: "messages that were put are never given out",
    found: [name("messages that were put as records are found when they have got their terms")],
    spoil: override("messages", () => ({ listUnindexed: () => Promise.resolve([]) })),
  },
];
