import type { MessageAppended, MessageRecord } from "@telex/core/storage";
import { type BrokenStorage, meanwhile, override } from "./spoil.ts";

/** Wrong stores of messages. */
export const brokenMessages: readonly BrokenStorage[] = [
  {
    fault: "a nonce is looked for first and kept later",
    found: ["messages: of 20 simultaneous messages with one nonce exactly one is stored"],
    spoil: override("messages", (store) => {
      const nonces = new Map<string, MessageRecord>();
      return {
        async append(append) {
          const key = append.nonce?.value ?? "";
          const first = nonces.get(key);
          if (first !== undefined) return { outcome: "repeated", message: first };
          await meanwhile();
          const appended = await store.append({ ...append, nonce: null });
          if (append.nonce !== null && appended.outcome === "appended") nonces.set(key, appended.message);
          return appended;
        },
      };
    }),
  },
  {
    fault: "a nonce is not compared with its content",
    found: [
      "messages: a nonce with another fingerprint is a conflict and stores nothing",
      "messages: of 20 simultaneous contents with one nonce exactly one is stored",
    ],
    spoil: override("messages", (store) => ({
      append: ({ nonce, ...append }) =>
        store.append({ ...append, nonce: nonce === null ? null : { ...nonce, fingerprint: "" } }),
    })),
  },
  {
    fault: "a nonce is the same for everybody",
    found: ["messages: a nonce counts for its sender and room only"],
    spoil: override("messages", (store) => {
      const nonces = new Set<string>();
      return {
        async append(append) {
          const value = append.nonce?.value ?? null;
          if (value !== null && nonces.has(value)) return { outcome: "nonce_conflict" };
          if (value !== null) nonces.add(value);
          return store.append(append);
        },
      };
    }),
  },
  {
    fault: "places of a room have holes",
    found: ["messages: ids and positions rise in the order of the calls, without holes in a room"],
    spoil: override("messages", (store) => ({
      async append(append): Promise<MessageAppended> {
        const appended = await store.append(append);
        if (appended.outcome !== "appended") return appended;
        return { ...appended, message: { ...appended.message, seq: appended.message.id } };
      },
    })),
  },
  {
    fault: "a page counts its own messages as older",
    found: ["messages page: a page counts the messages above and below it, for every cursor"],
    spoil: override("messages", (store) => ({
      async page(page) {
        const shown = await store.page(page);
        return { ...shown, older: shown.older + shown.messages.length };
      },
    })),
  },
  {
    fault: "the cursor for the page above is off by one",
    found: [
      "messages page: a page counts the messages above and below it, for every cursor",
      "messages page: following the pages up by `above` meets the pages that went down",
    ],
    spoil: override("messages", (store) => ({
      async page(page) {
        const shown = await store.page(page);
        const { above } = await store.page({ ...page, limit: Math.max(0, page.limit - 1) });
        return { ...shown, above };
      },
    })),
  },
  {
    fault: "a page begins with its cursor",
    found: ["messages page: following the pages down shows every message once, whatever arrives meanwhile"],
    spoil: override("messages", (store) => ({
      page: (page) => store.page({ ...page, before: page.before === null ? null : page.before + 1 }),
    })),
  },
  {
    fault: "an unknown cursor means the newest page",
    found: ["messages page: a page counts the messages above and below it, for every cursor"],
    spoil: override("messages", (store) => ({
      async page(page) {
        const known = page.before === null ? null : await store.findMessage(page.groupId, page.before);
        return store.page({ ...page, before: known?.id ?? null });
      },
    })),
  },
  {
    fault: "what was missed comes room by room",
    found: ["messages since: messages of some rooms above an id come by id, or null if they are too many"],
    spoil: override("messages", (store) => ({
      async listSince({ groupIds, ...since }) {
        const rooms = await Promise.all(groupIds.map((groupId) => store.listSince({ groupIds: [groupId], ...since })));
        const found = rooms.flatMap((messages) => messages ?? []);
        return rooms.includes(null) || found.length > since.limit ? null : found;
      },
    })),
  },
  {
    fault: "what was missed is cut off at the limit",
    found: ["messages since: messages of some rooms above an id come by id, or null if they are too many"],
    spoil: override("messages", (store) => ({
      async listSince(since) {
        const found = await store.listSince({ ...since, limit: 1000 });
        return found?.slice(0, since.limit) ?? null;
      },
    })),
  },
  {
    fault: "what was missed may have any size",
    found: ["messages since: messages above an id come whole, or null if they take too many bytes of UTF-8"],
    spoil: override("messages", (store) => ({
      listSince: (since) => store.listSince({ ...since, bytes: Number.MAX_SAFE_INTEGER }),
    })),
  },
  {
    fault: "the size of what was missed counts characters",
    found: ["messages since: messages above an id come whole, or null if they take too many bytes of UTF-8"],
    spoil: override("messages", (store) => ({
      async listSince(since) {
        const found = await store.listSince({ ...since, bytes: Number.MAX_SAFE_INTEGER });
        const size = found?.reduce((sum, { content, pinyin }) => sum + content.length + pinyin.length, 0) ?? 0;
        return size > since.bytes ? null : found;
      },
    })),
  },
  {
    fault: "a message is found in any room",
    found: ["messages: a message is found in its own room only"],
    spoil: override("messages", (store) => {
      const rooms = new Map<number, number>();
      return {
        async append(append) {
          const appended = await store.append(append);
          if (appended.outcome === "appended") rooms.set(appended.message.id, appended.message.groupId);
          return appended;
        },
        findMessage: (groupId, id) => store.findMessage(rooms.get(id) ?? groupId, id),
      };
    }),
  },
];
