import type { CounterName, RecordKind, Records } from "@telex/core/storage";
import { plain } from "../driver/collections.ts";
import { type DocumentId, idFor } from "../driver/documents.ts";
import { headOf } from "../messages/heads.ts";
import { networkDocuments, putNetworkId } from "../messages/network.ts";
import type { Tx } from "../driver/transaction.ts";

/** Stores records of a kind in place of those with their keys, with what the verbs derive from them. */
type Put<Kind extends RecordKind> = (tx: Tx, records: readonly Records[Kind][]) => Promise<void>;

/** Raises a counter to the greatest id that was put. */
async function raise(tx: Tx, name: CounterName, values: readonly number[]): Promise<void> {
  const before = await tx.find("counters", name);
  const value = Math.max(before?.value ?? 0, ...values);
  if (value > (before?.value ?? 0)) tx.put("counters", { _id: name, name, value });
}

const putUsers: Put<"users"> = async (tx, records) => {
  for (const record of records) tx.put("users", plain("users", record));
  await raise(
    tx,
    "user",
    records.map(({ userId }) => userId),
  );
};

const putTokens: Put<"tokens"> = async (tx, records) => {
  for (const record of records) tx.put("tokens", plain("tokens", record));
  await raise(
    tx,
    "token",
    records.map(({ tokenId }) => tokenId),
  );
};

const putGroups: Put<"groups"> = async (tx, records) => {
  for (const record of records) tx.put("groups", plain("groups", record));
  await raise(
    tx,
    "group",
    records.map(({ groupId }) => groupId),
  );
};

const putPeople: Put<"networkPeople"> = async (tx, records) => {
  for (const record of records) tx.put("networkPeople", plain("networkPeople", record));
  await raise(
    tx,
    "networkPerson",
    records.map(({ number }) => number),
  );
};

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

/** Messages that were put are held by nobody. */
const putDeviceMessages: Put<"deviceMessages"> = async (tx, records) => {
  await tx.load(records.map(({ deviceId }) => ({ name: "devices", id: deviceId })));
  for (const record of records) {
    const { deviceId, id, delivered } = record;
    const document = plain("deviceMessages", record);
    const before = await tx.find("deviceMessages", document._id);
    tx.put("deviceMessages", { ...document, holder: null, until: 0 });
    const device = await tx.find("devices", deviceId);
    if (device === null) throw new Error(`There is no device ${deviceId} for what belongs to it.`);
    const waited = before !== null && !before.delivered;
    const waiting = device.waiting + Number(!delivered) - Number(waited);
    tx.put("devices", { ...device, waiting, newest: Math.max(device.newest, id) });
  }
  await raise(
    tx,
    "deviceMessage",
    records.map(({ id }) => id),
  );
};

/** The sender has read the room up to the message. */
async function raiseMarker(tx: Tx, { external, groupId, userId, seq }: Records["messages"]): Promise<void> {
  if (external) return;
  const _id = idFor([groupId, Number(userId)]);
  if (seq > ((await tx.find("readMarkers", _id))?.seq ?? 0)) {
    tx.put("readMarkers", { _id, groupId, userId: Number(userId), seq });
  }
}

const putMessages: Put<"messages"> = async (tx, records) => {
  await tx.load(records.map(({ groupId }) => ({ name: "heads", id: groupId })));
  for (const record of records) {
    const { groupId, seq, id } = record;
    const document = plain("messages", record);
    const isRecalled = (await tx.find("messages", document._id))?.isRecalled;
    tx.put("messages", { ...document, terms: [], unindexed: true, ...(isRecalled === true && { isRecalled }) });
    const head = await headOf(tx, groupId);
    const last = seq >= head.seq ? id : head.last;
    tx.put("heads", { ...head, seq: Math.max(head.seq, seq), last, newest: Math.max(head.newest, id) });
    await raiseMarker(tx, record);
  }
  await raise(
    tx,
    "message",
    records.map(({ id }) => id),
  );
};

const putRecalls: Put<"messageRecalls"> = async (tx, records) => {
  for (const record of records) {
    const { groupId, seq, id } = record;
    const message = await tx.find("messages", idFor([groupId, seq]));
    if (message === null) throw new Error(`There is no message ${seq} in room ${groupId} for its recall.`);
    tx.put("messages", { ...message, terms: [], isRecalled: true });
    tx.put("messageRecalls", { ...plain("messageRecalls", record), messageId: message.id });
    const head = await headOf(tx, groupId);
    tx.put("heads", { ...head, newest: Math.max(head.newest, id) });
  }
  await raise(
    tx,
    "message",
    records.map(({ id }) => id),
  );
};

const putConversations: Put<"conversations"> = async (tx, records) => {
  for (const record of records) {
    const newest = (await tx.find("conversations", record.id))?.newest ?? 0;
    tx.put("conversations", { ...plain("conversations", record), newest });
  }
  await raise(
    tx,
    "conversation",
    records.map(({ id }) => id),
  );
};

const putConversationMessages: Put<"conversationMessages"> = async (tx, records) => {
  await tx.load(records.map(({ conversationId }) => ({ name: "conversations", id: conversationId })));
  for (const record of records) {
    const { conversationId, id } = record;
    tx.put("conversationMessages", plain("conversationMessages", record));
    const conversation = await tx.find("conversations", conversationId);
    if (conversation === null) throw new Error(`There is no conversation ${conversationId} of a message.`);
    tx.put("conversations", { ...conversation, newest: Math.max(conversation.newest, id) });
  }
  await raise(
    tx,
    "conversationMessage",
    records.map(({ id }) => id),
  );
};

const putCounters: Put<"counters"> = async (tx, records) => {
  for (const { name, value } of records) await raise(tx, name, [value]);
};

/** Puts a kind of record without derived documents. */
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

/** How each kind is put. */
export const puts: { readonly [Kind in RecordKind]: Put<Kind> } = {
  users: putUsers,
  tokens: putTokens,
  groups: putGroups,
  members: putPlain("members", (tx, one) => tx.put("members", one)),
  devices: putDevices,
  deviceGenerations: putGenerations,
  deviceMessages: putDeviceMessages,
  deviceNonces: putPlain("deviceNonces", (tx, one) => tx.put("deviceNonces", one)),
  files: putPlain("files", (tx, one) => tx.put("files", one)),
  uploads: putPlain("uploads", (tx, one) => tx.put("uploads", one)),
  attachments: putPlain("attachments", (tx, one) => tx.put("attachments", one)),
  messages: putMessages,
  messageNonces: putPlain("messageNonces", (tx, one) => tx.put("messageNonces", one)),
  messageFiles: putPlain("messageFiles", (tx, one) => tx.put("messageFiles", one)),
  readMarkers: putPlain("readMarkers", (tx, one) => tx.put("readMarkers", one)),
  messageRecalls: putRecalls,
  fileUses: putPlain("fileUses", (tx, one) => tx.put("fileUses", one)),
  botMessages: putNetworkIds,
  networkPeople: putPeople,
  bots: putPlain("bots", (tx, one) => tx.put("bots", one)),
  outbox: putPlain("outbox", (tx, one) => tx.put("outbox", one)),
  codes: putPlain("codes", (tx, one) => tx.put("codes", one)),
  uploadShares: putPlain("uploadShares", (tx, one) => tx.put("uploadShares", one)),
  allocations: putPlain("allocations", (tx, one) => tx.put("allocations", one)),
  usage: putPlain("usage", (tx, one) => tx.put("usage", one)),
  reservations: putPlain("reservations", (tx, one) => tx.put("reservations", one)),
  conversations: putConversations,
  conversationMessages: putConversationMessages,
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
