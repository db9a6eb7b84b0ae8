import type { CounterName, RecordKind, Records } from "@telex/core/storage";
import { plain } from "../driver/collections.ts";
import { type DocumentId, idFor } from "../driver/documents.ts";
import { headOf, noticesWith } from "../messages/heads.ts";
import { networkDocuments, putNetworkId } from "../messages/network.ts";
import type { Tx } from "../driver/transaction.ts";

/** Stores records of a kind, replaces those with the same keys, and stores the documents that verbs derive from them. */
type Put<Kind extends RecordKind> = (tx: Tx, records: readonly Records[Kind][]) => Promise<void>;

/** Raises a counter to the greatest id that was put. */
async function raise(tx: Tx, name: CounterName, values: readonly number[]): Promise<void> {
  const before = await tx.find("counters", name);
  const value = Math.max(before?.value ?? 0, ...values);
  if (value > (before?.value ?? 0)) tx.put("counters", { _id: name, name, value });
}

const putDevices: Put<"devices"> = async (tx, records) => {
  for (const record of records) {
    const { waiting = 0, newest = 0, floor = 0 } = (await tx.find("devices", record.deviceId)) ?? {};
    tx.put("devices", { ...plain("devices", record), waiting, newest, floor });
  }
};

const putGenerations: Put<"deviceGenerations"> = async (tx, records) => {
  for (const record of records) {
    const newest = (await tx.find("deviceGenerations", record.deviceId))?.newest ?? 0;
    tx.put("deviceGenerations", { ...plain("deviceGenerations", record), newest });
  }
};

/** Imported messages have no holder. */
const putDeviceMessages: Put<"deviceMessages"> = async (tx, records) => {
  await tx.load(records.map(({ deviceId }) => ({ name: "devices", id: deviceId })));
  for (const record of records) {
    const { deviceId, id, delivered } = record;
    const document = plain("deviceMessages", record);
    const before = await tx.find("deviceMessages", document._id);
    tx.put("deviceMessages", { ...document, holder: null, until: 0 });
    const device = await tx.find("devices", deviceId);
    if (device === null) throw new Error(`A record names device ${deviceId}, which does not exist.`);
    const waited = before !== null && !before.delivered;
    const waiting = device.waiting + Number(!delivered) - Number(waited);
    tx.put("devices", { ...device, waiting, newest: Math.max(device.newest, id) });
  }
};

/** The sender has read the room up to the message. */
async function raiseMarker(tx: Tx, { external, groupId, userId, seq, notice }: Records["messages"]): Promise<void> {
  if (external || notice !== null) return;
  const _id = idFor([groupId, Number(userId)]);
  if (seq > ((await tx.find("readMarkers", _id))?.seq ?? 0))
    tx.put("readMarkers", { _id, groupId, userId: Number(userId), seq });
}

/** The known number of notices: storing a record again does not change it. */
const noticesOf = ({ notices }: { readonly notices?: number }) => (notices === undefined ? {} : { notices });

const putMessages: Put<"messages"> = async (tx, records) => {
  await tx.load(records.map(({ groupId }) => ({ name: "heads", id: groupId })));
  for (const record of records) {
    const { groupId, seq, id } = record;
    const document = plain("messages", record);
    const before = await tx.find("messages", document._id);
    const isRecalled = before?.isRecalled;
    const head = await headOf(tx, groupId);
    const notices = before === null ? noticesWith(head, record) : noticesOf(before);
    tx.put("messages", {
      ...document,
      ...notices,
      terms: [],
      unindexed: true,
      ...(isRecalled === true && { isRecalled }),
    });
    const last = seq >= head.seq ? id : head.last;
    const counted = before === null ? notices : noticesOf(head);
    const newest = Math.max(head.newest, id, record.changed);
    tx.put("heads", { ...head, ...counted, seq: Math.max(head.seq, seq), last, newest });
    await raiseMarker(tx, record);
  }
};

const putRecalls: Put<"messageRecalls"> = async (tx, records) => {
  for (const record of records) {
    const { groupId, seq, id } = record;
    const message = await tx.find("messages", idFor([groupId, seq]));
    if (message === null) throw new Error(`A recall names message ${seq} of room ${groupId}, which does not exist.`);
    tx.put("messages", { ...message, terms: [], isRecalled: true });
    tx.put("messageRecalls", { ...plain("messageRecalls", record), messageId: message.id });
    const head = await headOf(tx, groupId);
    tx.put("heads", { ...head, newest: Math.max(head.newest, id) });
  }
};

const putConversations: Put<"conversations"> = async (tx, records) => {
  for (const record of records) {
    const newest = (await tx.find("conversations", record.id))?.newest ?? 0;
    tx.put("conversations", { ...plain("conversations", record), newest });
  }
};

const putConversationMessages: Put<"conversationMessages"> = async (tx, records) => {
  await tx.load(records.map(({ conversationId }) => ({ name: "conversations", id: conversationId })));
  for (const record of records) {
    const { conversationId, id } = record;
    tx.put("conversationMessages", plain("conversationMessages", record));
    const conversation = await tx.find("conversations", conversationId);
    if (conversation === null) throw new Error(`A message names conversation ${conversationId}, which does not exist.`);
    tx.put("conversations", { ...conversation, newest: Math.max(conversation.newest, id) });
  }
};

const putCounters: Put<"counters"> = async (tx, records) => {
  for (const { name, value } of records) await raise(tx, name, [value]);
};

/** Stores a kind of record without derived documents. */
const putPlain =
  <Kind extends RecordKind>(
    kind: Kind,
    put: (tx: Tx, document: Records[Kind] & { readonly _id: DocumentId }) => void,
  ): Put<Kind> =>
  async (tx, records) => {
    for (const record of records) put(tx, plain(kind, record));
  };

const putNetworkIds: Put<"botMessages"> = async (tx, records) => {
  const keys = records.map((record) => ({ ...record, messageId: record.botMessageId }));
  await tx.load(keys.flatMap(networkDocuments).map((id) => ({ name: "botMessages", id })));
  for (const record of records) await putNetworkId(tx, record);
};

/** Stores records, and raises a counter to the greatest of their ids. */
const raising =
  <Kind extends RecordKind>(counter: CounterName, put: Put<Kind>, idOf: (record: Records[Kind]) => number): Put<Kind> =>
  async (tx, records) => {
    await put(tx, records);
    await raise(tx, counter, records.map(idOf));
  };

const idIn = ({ id }: { readonly id: number }): number => id;

export const puts: { readonly [Kind in RecordKind]: Put<Kind> } = {
  users: raising(
    "user",
    putPlain("users", (tx, one) => tx.put("users", one)),
    ({ userId }) => userId,
  ),
  tokens: raising(
    "token",
    putPlain("tokens", (tx, one) => tx.put("tokens", one)),
    ({ tokenId }) => tokenId,
  ),
  groups: raising(
    "group",
    putPlain("groups", (tx, one) => tx.put("groups", one)),
    ({ groupId }) => groupId,
  ),
  members: putPlain("members", (tx, one) => tx.put("members", one)),
  devices: putDevices,
  deviceGenerations: putGenerations,
  deviceMessages: raising("deviceMessage", putDeviceMessages, idIn),
  deviceSchedules: putPlain("deviceSchedules", (tx, one) => tx.put("deviceSchedules", one)),
  deviceNonces: putPlain("deviceNonces", (tx, one) => tx.put("deviceNonces", one)),
  files: putPlain("files", (tx, one) => tx.put("files", one)),
  uploads: putPlain("uploads", (tx, one) => tx.put("uploads", one)),
  attachments: putPlain("attachments", (tx, one) => tx.put("attachments", one)),
  messages: raising("message", putMessages, ({ id, changed }) => Math.max(id, changed)),
  messageNonces: putPlain("messageNonces", (tx, one) => tx.put("messageNonces", one)),
  messageFiles: putPlain("messageFiles", (tx, one) => tx.put("messageFiles", one)),
  readMarkers: putPlain("readMarkers", (tx, one) => tx.put("readMarkers", one)),
  messageRecalls: raising("message", putRecalls, idIn),
  fileUses: putPlain("fileUses", (tx, one) => tx.put("fileUses", one)),
  botMessages: putNetworkIds,
  networkPeople: raising(
    "networkPerson",
    putPlain("networkPeople", (tx, one) => tx.put("networkPeople", one)),
    ({ number }) => number,
  ),
  bots: putPlain("bots", (tx, one) => tx.put("bots", one)),
  outbox: putPlain("outbox", (tx, one) => tx.put("outbox", one)),
  codes: putPlain("codes", (tx, one) => tx.put("codes", one)),
  uploadShares: putPlain("uploadShares", (tx, one) => tx.put("uploadShares", one)),
  allocations: putPlain("allocations", (tx, one) => tx.put("allocations", one)),
  usage: putPlain("usage", (tx, one) => tx.put("usage", one)),
  reservations: putPlain("reservations", (tx, one) => tx.put("reservations", one)),
  conversations: raising("conversation", putConversations, idIn),
  conversationMessages: raising("conversationMessage", putConversationMessages, idIn),
  accounts: putPlain("accounts", (tx, one) => tx.put("accounts", one)),
  passkeys: putPlain("passkeys", (tx, one) => tx.put("passkeys", one)),
  identities: putPlain("identities", (tx, one) => tx.put("identities", one)),
  clients: putPlain("clients", (tx, one) => tx.put("clients", one)),
  grants: putPlain("grants", (tx, one) => tx.put("grants", one)),
  artifacts: putPlain("artifacts", (tx, one) => tx.put("artifacts", one)),
  keys: putPlain("keys", (tx, one) => tx.put("keys", one)),
  pairings: putPlain("pairings", (tx, one) => tx.put("pairings", one)),
  counters: putCounters,
};
