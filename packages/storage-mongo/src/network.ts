import type { MessageStore } from "@telex/core/storage";
import { plain, recordOrNull, type StoreDeps, collectionOf } from "./deps.ts";
import { idFor } from "./documents.ts";

type NetworkVerbs = Pick<MessageStore, "findNetworkMessage" | "listNetworkIds" | "assignNumber" | "findPerson">;

/** Messages and people of external networks. */
export const createNetworkVerbs = ({ db, batches: { read, write, single }, ids }: StoreDeps): NetworkVerbs => ({
  findNetworkMessage: ({ account, messageId }) =>
    read(async (tx) => {
      const known = await tx.find("botMessages", idFor([account, messageId]));
      if (known === null) return null;
      return recordOrNull("messages", await tx.find("messages", idFor([known.groupId, known.seq])));
    }),
  listNetworkIds: (groupId, id) =>
    read(async (tx) => {
      const [message] = await tx.list("messages", { groupId, id }, { limit: 1 });
      if (message === undefined) return [];
      const known = await tx.list("botMessages", { groupId, seq: message.seq }, {});
      return known.map(({ account, botMessageId }) => ({ account, messageId: botMessageId }));
    }),
  assignNumber: ({ network, ext }) =>
    write("people", async (tx) => {
      const [known] = await tx.list("networkPeople", { network, ext }, { limit: 1 });
      if (known !== undefined) return known.number;
      const number = await ids.count(tx, "networkPerson");
      tx.add("networkPeople", plain("networkPeople", { number, network, ext }));
      return number;
    }),
  findPerson: (number) =>
    single(async () => recordOrNull("networkPeople", await collectionOf(db, "networkPeople").findOne({ _id: number }))),
});
