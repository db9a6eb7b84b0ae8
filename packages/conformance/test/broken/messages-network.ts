import type { MessageStore } from "@telex/core/storage";
import { type BrokenStorage, meanwhile, override } from "./spoil.ts";

const name = (sentence: string): string => `messages of networks: ${sentence}`;

const spoilMessages = (change: (store: MessageStore) => Partial<MessageStore>): BrokenStorage["spoil"] =>
  override("messages", change);

/** Wrong stores of messages of external networks. */
export const brokenNetworks: readonly BrokenStorage[] = [
  {
    fault: "an echo is stored again",
    found: [name("a message is stored once per account, room and id")],
    spoil: spoilMessages((store) => ({ append: (append) => store.append({ ...append, network: null }) })),
  },
  {
    fault: "an id is one of its account, whatever the room",
    found: [name("an id names one message in each room")],
    spoil: spoilMessages((store) => {
      const rooms = new Map<string, number>();
      return {
        async append(append) {
          for (const messageId of append.network?.messageIds ?? []) {
            const groupId = rooms.get(messageId) ?? append.message.groupId;
            rooms.set(messageId, groupId);
            const known = await store.findNetworkMessage({ account: "bot-1", groupId, messageId });
            if (known !== null) return { outcome: "repeated", message: known };
          }
          return store.append(append);
        },
      };
    }),
  },
  {
    fault: "a message with an id that another one has is swallowed",
    found: [name("a message with an id that another one of the room has is stored, and has the id from then on")],
    spoil: spoilMessages((store) => ({
      append: (append) =>
        store.append({
          ...append,
          network: append.network === null ? null : { ...append.network, isSame: undefined },
        }),
    })),
  },
  {
    fault: "an id is looked up, and of messages that are not the same the first is stored",
    found: [name("of 20 simultaneous messages that share an id and are not the same all are stored")],
    spoil: spoilMessages((store) => {
      const taken = new Set<string>();
      return {
        async append(append) {
          const [messageId = ""] = append.network?.messageIds ?? [];
          const known = await store.findNetworkMessage({ account: "bot-1", groupId: 11, messageId });
          if (known !== null && append.network?.isSame?.(known, messageId) === false && taken.has(messageId)) {
            return { outcome: "repeated", message: known };
          }
          taken.add(messageId);
          return store.append(append);
        },
      };
    }),
  },
  {
    fault: "an id is looked up in its room, then the message is stored",
    found: [name("of 20 simultaneous arrivals that share an id in two rooms one of each room is stored")],
    spoil: spoilMessages((store) => ({
      async append(append) {
        const [messageId = ""] = append.network?.messageIds ?? [];
        const { groupId } = append.message;
        const known = await store.findNetworkMessage({ account: "bot-1", groupId, messageId });
        if (known !== null) return { outcome: "repeated", message: known };
        await meanwhile();
        return store.append({ ...append, network: null });
      },
    })),
  },
  {
    fault: "only the first id of a message counts",
    found: [name("a message may have several ids, and a repeat under each of them is a repeat")],
    spoil: spoilMessages((store) => ({
      append: (append) =>
        store.append({
          ...append,
          network:
            append.network === null ? null : { ...append.network, messageIds: append.network.messageIds.slice(0, 1) },
        }),
    })),
  },
  {
    fault: "a repeat teaches nothing",
    found: [name("ids that come with a repeat are known from then on")],
    spoil: spoilMessages((store) => ({
      async append(append) {
        const { network } = append;
        for (const messageId of network?.messageIds ?? []) {
          const known = await store.findNetworkMessage({
            account: network?.account ?? "",
            groupId: append.message.groupId,
            messageId,
          });
          if (known !== null) return { outcome: "repeated", message: known };
        }
        return store.append(append);
      },
    })),
  },
  {
    fault: "an id goes to the message that came last",
    found: [name("an id stays with the message that had it first")],
    spoil: spoilMessages((store) => {
      const latest = new Map<string, number>();
      return {
        async append(append) {
          const appended = await store.append(append);
          if ("message" in appended) {
            for (const id of append.network?.messageIds ?? []) latest.set(id, appended.message.id);
          }
          return appended;
        },
        findNetworkMessage: ({ messageId }) => store.findMessage(11, latest.get(messageId) ?? 0),
      };
    }),
  },
  {
    fault: "a message is found under any account",
    found: [name("a message is found by its account and id only")],
    spoil: spoilMessages((store) => ({
      findNetworkMessage: (key) => store.findNetworkMessage({ ...key, account: "bot-1" }),
    })),
  },
  {
    fault: "only the id that quotes use is listed",
    found: [name("every id of a message is listed, also after its recall")],
    spoil: spoilMessages((store) => ({
      async listNetworkIds(groupId, id) {
        const messageId = (await store.findMessage(groupId, id))?.botMessageId ?? null;
        return messageId === null ? [] : [{ account: "bot-1", messageId }];
      },
    })),
  },
  {
    fault: "an id is looked up, then the message is stored",
    found: [name("of 20 simultaneous arrivals that share an id exactly one is stored")],
    spoil: spoilMessages((store) => ({
      async append(append) {
        const { network } = append;
        for (const messageId of network?.messageIds ?? []) {
          const known = await store.findNetworkMessage({
            account: network?.account ?? "",
            groupId: append.message.groupId,
            messageId,
          });
          if (known !== null) return { outcome: "repeated", message: known };
        }
        await meanwhile();
        return store.append({ ...append, network: null });
      },
    })),
  },
  {
    fault: "files are listed by name, in whatever room",
    found: [name("the files of a message are listed in their order, also when they are gone")],
    spoil: spoilMessages((store) => ({
      listFiles: async (_groupId, id) => (await store.listFiles(11, id)).toSorted(),
    })),
  },
  {
    fault: "people of two networks share their numbers",
    found: [name("a person of a network has one number, permanently")],
    spoil: spoilMessages((store) => ({ assignNumber: ({ ext }) => store.assignNumber({ network: "chat", ext }) })),
  },
  {
    fault: "a number is given to each who asks",
    found: [name("of 20 that ask for the number of one person all get the same")],
    spoil: spoilMessages((store) => {
      let asked = 0;
      return {
        assignNumber({ ext, network }) {
          asked += 1;
          return store.assignNumber({ network, ext: `${ext}-${asked}` });
        },
      };
    }),
  },
];
