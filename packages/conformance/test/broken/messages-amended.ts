import { type BrokenStorage, meanwhile, override } from "./spoil.ts";

/** Wrong stores of changed messages and of mentions. */
export const brokenAmends: readonly BrokenStorage[] = [
  {
    fault: "a change looks first, and is made later",
    found: ["messages amended: of 20 simultaneous changes none is lost"],
    spoil: override("messages", (store) => ({
      async amend({ decide, ...place }) {
        const before = await store.findMessage(place.groupId, place.messageId);
        await meanwhile();
        return store.amend({ ...place, decide: (message) => decide(before ?? message) });
      },
    })),
  },
  {
    fault: "a recalled message can be changed",
    found: ["messages amended: a message that is missing or was recalled cannot be changed"],
    spoil: override("messages", (store) => ({
      async amend(asked) {
        const amended = await store.amend(asked);
        const message = await store.findMessage(asked.groupId, asked.messageId);
        return amended.outcome === "missing" && message !== null ? { outcome: "same", message } : amended;
      },
    })),
  },
  {
    fault: "a change keeps the terms of the old texts",
    found: ["messages amended: a changed message is found by its new texts, whether it was indexed before or not"],
    spoil: override("messages", (store) => ({
      amend: ({ decide, ...place }) =>
        store.amend({
          ...place,
          decide(message) {
            const decided = decide(message);
            return decided?.texts ? { ...decided, texts: { ...decided.texts, terms: [] } } : decided;
          },
        }),
    })),
  },
  {
    fault: "a change of the texts loses the extras",
    found: ["messages amended: a changed message has its new texts and extras, and keeps its other fields"],
    spoil: override("messages", (store) => ({
      amend: ({ decide, ...place }) =>
        store.amend({
          ...place,
          decide(message) {
            const decided = decide(message);
            return decided?.texts ? { ...decided, extras: null } : decided;
          },
        }),
    })),
  },
  {
    fault: "changes come room by room",
    found: ["messages amended: changed messages are listed by their last change, or null if they are too many"],
    spoil: override("messages", (store) => ({
      async listAmended({ groupIds, ...since }) {
        const rooms = await Promise.all(
          groupIds.map((groupId) => store.listAmended({ groupIds: [groupId], ...since })),
        );
        const found = rooms.flatMap((messages) => messages ?? []);
        return rooms.includes(null) || found.length > since.limit ? null : found;
      },
    })),
  },
  {
    fault: "mentions that were read are counted",
    found: ["messages mentions: unread messages that mention a user or all members are counted"],
    spoil: override("messages", (store) => ({
      async countMentions(userId, groupIds) {
        const counted = groupIds.map(async (groupId) => {
          const { messages } = await store.page({ groupId, before: null, limit: 100 });
          const own = messages.filter(({ mentions }) => mentions === " * " || mentions?.includes(` ${userId} `));
          return [groupId, own.length] as const;
        });
        return new Map(await Promise.all(counted));
      },
    })),
  },
  {
    fault: "the mentions of an edited message stay",
    found: ["messages mentions: a recalled message mentions no user, and an edited one those of its new text"],
    spoil: override("messages", (store) => ({
      amend: ({ decide, ...place }) =>
        store.amend({
          ...place,
          decide(message) {
            const decided = decide(message);
            return decided?.texts ? { ...decided, texts: { ...decided.texts, mentions: message.mentions } } : decided;
          },
        }),
    })),
  },
];
