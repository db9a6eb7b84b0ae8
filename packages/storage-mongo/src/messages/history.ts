import type { MessagePage, MessageRecord, MessagesSince, MessageStore } from "@telex/core/storage";
import type { Collection } from "mongodb";
import type { StoreDeps } from "../stores/deps.ts";
import { collectionOf, recordOrNull, recordsOf } from "../driver/collections.ts";
import { type Documents, idFor, recordOf } from "../driver/documents.ts";
import { attachedTo } from "../stores/files.ts";
import { partsOf } from "../stores/parts.ts";
import type { Reads } from "../driver/transaction.ts";

type HistoryVerbs = Pick<MessageStore, "page" | "findMessage" | "listFiles" | "listUsing" | "listSince" | "findNewest">;
type Messages = Collection<Documents["messages"]>;
type Asked = Parameters<MessageStore["page"]>[0];

/** Only the page has to be read: positions (`seq`) have no gaps, so they are counts. */
async function newestPage(tx: Reads, { groupId, limit }: Asked): Promise<MessagePage> {
  const messages = await tx.list("messages", { groupId }, { sort: { id: -1 }, limit });
  const newest = messages[0]?.id ?? (await tx.find("heads", groupId))?.last ?? 0;
  const older = (messages.at(-1)?.seq ?? 1) - 1;
  return { messages: recordsOf("messages", messages), newer: 0, older, above: null, newest };
}

async function pageBelow(tx: Reads, { groupId, limit }: Asked, before: number): Promise<MessagePage> {
  const messages = await tx.list("messages", { groupId, id: { $lt: before } }, { sort: { id: -1 }, limit });
  const head = await tx.find("heads", groupId);
  const top = messages[0]?.seq ?? 0;
  const above = await tx.find("messages", idFor([groupId, top + limit + 1]));
  return {
    messages: recordsOf("messages", messages),
    newer: (head?.seq ?? 0) - top,
    older: Math.max(0, top - limit),
    above: above?.id ?? null,
    newest: head?.last ?? 0,
  };
}

const sizeOf = ({ content, pinyin }: MessageRecord): number => Buffer.byteLength(content) + Buffer.byteLength(pinyin);

/**
 * All messages above an id, or null if they are too many or too large. Reads at most one message more than it may return. Rooms are read
 * in parts.
 */
async function since(messages: Messages, { groupIds, after, limit, bytes }: MessagesSince) {
  const matches: MessageRecord[] = [];
  let size = 0;
  for (const rooms of partsOf(groupIds)) {
    const filter = { groupId: { $in: rooms }, id: { $gt: after } };
    const options = { sort: { id: 1 }, limit: limit - matches.length + 1, batchSize: 100 } as const;
    for await (const message of messages.find(filter, options)) {
      size += sizeOf(message);
      if (matches.length === limit || size > bytes) return null;
      matches.push(recordOf("messages", message));
    }
  }
  return matches.toSorted((a, b) => a.id - b.id);
}

type Using = Parameters<MessageStore["listUsing"]>[0];

/** The messages of some rooms that use a file. Rooms are read in parts. */
async function listUsing(tx: Reads, { md5, groupIds, after, limit }: Using): Promise<MessageRecord[]> {
  const rooms = groupIds.filter((one) => one >= after.groupId).toSorted((a, b) => a - b);
  const isAfter = { $or: [{ groupId: { $gt: after.groupId } }, { groupId: after.groupId, seq: { $gt: after.seq } }] };
  const messages: MessageRecord[] = [];
  for (const part of partsOf(rooms)) {
    const filter = { md5, groupId: { $in: part }, ...isAfter };
    const uses = await tx.list("fileUses", filter, { sort: { groupId: 1, seq: 1 }, limit: limit - messages.length });
    for (const { groupId, seq } of uses) {
      const message = await tx.find("messages", idFor([groupId, seq]));
      if (message !== null) messages.push(recordOf("messages", message));
    }
    if (messages.length >= limit) break;
  }
  return messages;
}

/** The greatest id of each room up to `upTo`: one look-up in the index per room. */
async function newestUpTo(messages: Messages, groupIds: readonly number[], upTo: number): Promise<Map<number, number>> {
  const options = { sort: { id: -1 }, projection: { id: 1 } } as const;
  const matches = await Promise.all(
    groupIds.map(async (groupId) => {
      const message = await messages.findOne({ groupId, id: { $lte: upTo } }, options);
      return message === null ? [] : [[groupId, message.id] as const];
    }),
  );
  return new Map(matches.flat());
}

export function createHistoryVerbs({ db, batches: { single, read } }: StoreDeps): HistoryVerbs {
  const messages = collectionOf(db, "messages");
  const heads = collectionOf(db, "heads");
  return {
    page: (asked) => read((tx) => (asked.before === null ? newestPage(tx, asked) : pageBelow(tx, asked, asked.before))),
    findMessage: (groupId, id) => single(async () => recordOrNull("messages", await messages.findOne({ groupId, id }))),
    listFiles: (groupId, id) =>
      read(async (tx) => {
        const [message] = await tx.list("messages", { groupId, id }, { limit: 1 });
        if (message === undefined) return [];
        const files = await tx.list("messageFiles", attachedTo(message), { sort: { _id: 1 } });
        return files.map(({ relativePath }) => relativePath);
      }),
    listUsing: (page) => read((tx) => listUsing(tx, page)),
    listSince: (asked) => single(() => since(messages, asked)),
    findNewest: (groupIds, upTo) =>
      single(async () => {
        if (upTo !== undefined) return newestUpTo(messages, groupIds, upTo);
        const matches = await heads.find({ _id: { $in: groupIds }, seq: { $gt: 0 } }).toArray();
        return new Map(matches.map(({ _id, last }) => [_id, last]));
      }),
  };
}
