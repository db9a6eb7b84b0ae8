import type { MessageStore, NetworkKey, Records } from "@telex/core/storage";
import type { StoreDeps } from "../stores/deps.ts";
import { plain, recordOrNull, collectionOf } from "../driver/collections.ts";
import { type DocumentId, type Documents, idFor } from "../driver/documents.ts";
import type { Reads, Tx } from "../driver/transaction.ts";

type NetworkVerbs = Pick<MessageStore, "findNetworkMessage" | "listNetworkIds" | "assignNumber" | "findPerson">;

/**
 * The ids of the two documents that may map an id in a network to a message of the room. Earlier versions only know the first one and ignore
 * the room, so the first room that uses an id of the network gets that document.
 */
export const networkDocuments = ({ account, groupId, messageId }: NetworkKey): readonly [DocumentId, DocumentId] => [
  idFor([account, messageId]),
  idFor([account, messageId, groupId]),
];

/** The document of the message of the room that has an id in a network, or null. */
export async function findNetworkId(tx: Reads, key: NetworkKey): Promise<Documents["botMessages"] | null> {
  for (const id of networkDocuments(key)) {
    const existing = await tx.find("botMessages", id);
    if (existing?.groupId === key.groupId) return existing;
  }
  return null;
}

/** Maps an id in a network to a message, even if another message of its room had the id before. */
export async function putNetworkId(tx: Tx, record: Records["botMessages"]): Promise<void> {
  const key = { ...record, messageId: record.botMessageId };
  const [first, own] = networkDocuments(key);
  const isFirst = (await tx.find("botMessages", first)) === null;
  const _id = (await findNetworkId(tx, key))?._id ?? (isFirst ? first : own);
  tx.put("botMessages", { ...plain("botMessages", record), _id });
}

/** Messages and people of external networks. */
export const createNetworkVerbs = ({ db, batches: { read, write, single }, ids }: StoreDeps): NetworkVerbs => ({
  findNetworkMessage: (key) =>
    read(async (tx) => {
      await tx.load(networkDocuments(key).map((id) => ({ name: "botMessages", id })));
      const existing = await findNetworkId(tx, key);
      if (existing === null) return null;
      return recordOrNull("messages", await tx.find("messages", idFor([existing.groupId, existing.seq])));
    }),
  listNetworkIds: (groupId, id) =>
    read(async (tx) => {
      const [message] = await tx.list("messages", { groupId, id }, { limit: 1 });
      if (message === undefined) return [];
      const matches = await tx.list("botMessages", { groupId, seq: message.seq }, {});
      return matches.map(({ account, botMessageId }) => ({ account, messageId: botMessageId }));
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
