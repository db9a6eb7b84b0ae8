import type { MessageRecord } from "@telex/core/storage";
import { type BrokenStorage, meanwhile, override } from "./spoil.ts";

/** Wrong stores of markers and recalls. */
export const brokenReading: readonly BrokenStorage[] = [
  {
    fault: "a marker moves back",
    found: ["messages read: a marker only moves forward"],
    spoil: override("messages", (store) => ({
      async markRead(mark) {
        const { messages } = await store.page({ groupId: mark.groupId, before: mark.upTo + 1, limit: 1 });
        return { ...(await store.markRead(mark)), readUpTo: messages[0]?.id ?? 0 };
      },
    })),
  },
  {
    fault: "a marker is put where the caller says",
    found: ["messages read: an id that is no message counts as the newest message below it"],
    spoil: override("messages", (store) => ({
      async markRead(mark) {
        const marked = await store.markRead(mark);
        return marked.moved ? { ...marked, readUpTo: mark.upTo } : marked;
      },
    })),
  },
  {
    fault: "who has read a part of the room counts as a reader of all of it",
    found: ["messages read: of many users, those who have read a message are found"],
    spoil: override("messages", (store) => ({ findReaders: (place) => store.findReaders({ ...place, seq: 1 }) })),
  },
  {
    fault: "own messages are unread",
    found: ["messages read: a user has read the room up to their own newest message"],
    spoil: override("messages", (store) => {
      const own: MessageRecord[] = [];
      return {
        async append(append) {
          const appended = await store.append(append);
          if (appended.outcome === "appended") own.push(appended.message);
          return appended;
        },
        async findReadings(userId, groupIds) {
          const readings = await store.findReadings(userId, groupIds);
          return new Map(
            [...readings].map(([groupId, reading]) => {
              const mine = own.filter((message) => message.groupId === groupId && message.userId === String(userId));
              return [groupId, { ...reading, unread: reading.unread + mine.length }];
            }),
          );
        },
      };
    }),
  },
  {
    fault: "notices are unread",
    found: ["messages read: a notice is kept as one, is never unread, and moves no marker"],
    spoil: override("messages", (store) => ({
      async findReadings(userId, groupIds) {
        const readings = await store.findReadings(userId, groupIds);
        const counted = [...readings].map(async ([groupId, reading]) => {
          const { messages } = await store.page({ groupId, before: null, limit: 100 });
          const above = messages.filter(({ id, notice }) => id > reading.readUpTo && notice !== null);
          return [groupId, { ...reading, unread: reading.unread + above.length }] as const;
        });
        return new Map(await Promise.all(counted));
      },
    })),
  },
  {
    fault: "the mark of a notice is lost",
    found: ["messages read: a notice is kept as one, is never unread, and moves no marker"],
    spoil: override("messages", (store) => ({
      append: (input) => store.append({ ...input, message: { ...input.message, notice: null } }),
    })),
  },
  {
    fault: "a notice moves the marker of its sender",
    found: ["messages read: a notice is kept as one, is never unread, and moves no marker"],
    spoil: override("messages", (store) => ({
      async append(input) {
        const appended = await store.append(input);
        const { notice, groupId, userId } = input.message;
        const mark = { groupId, userId: Number(userId), upTo: Number.MAX_SAFE_INTEGER };
        if (notice !== null) await store.markRead(mark);
        return appended;
      },
    })),
  },
  {
    fault: "a marker is counted after it was moved",
    found: ["messages read: a marker and its count are of one moment, while messages arrive"],
    spoil: override("messages", (store) => ({
      async markRead(mark) {
        const { moved } = await store.markRead(mark);
        for (let turn = 0; turn < 20; turn += 1) await meanwhile();
        const reading = (await store.findReadings(mark.userId, [mark.groupId])).get(mark.groupId);
        return { moved, readUpTo: reading?.readUpTo ?? 0, unread: reading?.unread ?? 0 };
      },
    })),
  },
  {
    fault: "a marker is the same for everybody",
    found: ["messages read: a marker is kept for its user and room"],
    spoil: override("messages", (store) => ({
      findReadings: (_userId, groupIds) => store.findReadings(8, groupIds),
    })),
  },
  {
    fault: "the newest id up to an id is the newest",
    found: ["messages read: the newest id up to an id is found for each room"],
    spoil: override("messages", (store) => ({ findNewest: (groupIds) => store.findNewest(groupIds) })),
  },
  {
    fault: "a recall looks first, and changes later",
    found: ["messages recalled: of 20 simultaneous recalls of a message exactly one recalls"],
    spoil: override("messages", (store) => ({
      async recall(asked) {
        const before = await store.findMessage(asked.groupId, asked.messageId);
        await meanwhile();
        const recalled = await store.recall(asked);
        return recalled.outcome === "repeated" && before?.content !== asked.content
          ? { ...recalled, outcome: "recalled" }
          : recalled;
      },
    })),
  },
  {
    fault: "anybody may recall anything",
    found: [
      "messages recalled: only the sender may recall, if that is asked, and only in time",
      "messages recalled: a message of another user stays theirs after its recall",
    ],
    spoil: override("messages", (store) => ({ recall: (asked) => store.recall({ ...asked, ownSince: null }) })),
  },
  {
    fault: "recalls come room by room",
    found: ["messages recalled: recalls are listed by id, or null if they are too many"],
    spoil: override("messages", (store) => ({
      async listRecalls({ groupIds, ...since }) {
        const rooms = await Promise.all(
          groupIds.map((groupId) => store.listRecalls({ groupIds: [groupId], ...since })),
        );
        const found = rooms.flatMap((recalls) => recalls ?? []);
        return rooms.includes(null) || found.length > since.limit ? null : found;
      },
    })),
  },
  {
    fault: "a recalled message keeps its files",
    found: ["messages recalled: the files that only a recalled message used are unused again"],
    spoil: override("bucket", (store) => ({
      async findFile(md5) {
        const file = await store.findFile(md5);
        return file === null ? null : { ...file, usedAt: file.usedAt ?? file.createdAt };
      },
    })),
  },
  {
    fault: "a recall forgets what a network calls the message",
    found: ["messages recalled: a recalled message is empty and stays what it is otherwise"],
    spoil: override("messages", (store) => ({
      async findNetworkMessage(key) {
        const found = await store.findNetworkMessage(key);
        return found?.content === "recalled" ? null : found;
      },
    })),
  },
];
