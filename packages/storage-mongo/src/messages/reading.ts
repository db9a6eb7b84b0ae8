import type { MarkedRead, MessageStore, RoomReading } from "@telex/core/storage";
import type { Db } from "mongodb";
import type { StoreDeps } from "../stores/deps.ts";
import { collectionOf, feedRoot, recordOrNull } from "../driver/collections.ts";
import { idFor } from "../driver/documents.ts";
import type { Reads, Tx } from "../driver/transaction.ts";
import type { Ref } from "../driver/ref.ts";

type ReadingVerbs = Pick<MessageStore, "findReadings" | "findReaders" | "markRead" | "countMentions">;
type Mark = Parameters<MessageStore["markRead"]>[0];

/** How far a user has read a room, from loaded documents. */
async function readingOf(tx: Reads, userId: number, groupId: number): Promise<RoomReading> {
  const { seq = 0, notices = 0 } = (await tx.find("heads", groupId)) ?? {};
  const read = (await tx.find("readMarkers", idFor([groupId, userId])))?.seq ?? 0;
  const message = read === 0 ? null : await tx.find("messages", idFor([groupId, read]));
  const newest = seq === 0 ? null : await tx.find("messages", idFor([groupId, seq]));
  // A server of an earlier version does not count notices.
  const unread = Math.max(0, seq - read - (notices - (message?.notices ?? 0)));
  return { readUpTo: message?.id ?? 0, unread, newest: recordOrNull("messages", newest) };
}

/** Loads the newest message of each room, and the one up to which the user has read it: three reads for all rooms. */
async function loadReadings(tx: Reads, userId: number, groupIds: readonly number[]): Promise<void> {
  await tx.load(groupIds.map((id) => ({ name: "heads", id })));
  await tx.load(groupIds.map((groupId) => ({ name: "readMarkers", id: idFor([groupId, userId]) })));
  const messages: Ref[] = [];
  for (const groupId of groupIds) {
    const seqs = [
      (await tx.find("heads", groupId))?.seq,
      (await tx.find("readMarkers", idFor([groupId, userId])))?.seq,
    ];
    for (const seq of seqs) if (seq !== undefined) messages.push({ name: "messages", id: idFor([groupId, seq]) });
  }
  await tx.load(messages);
}

/** A moved marker, with the change that reports it; null if none moved. */
interface Moved {
  readonly marked: MarkedRead;
  readonly change: string | null;
}

async function markRead(tx: Tx, { groupId, userId, upTo }: Mark): Promise<Moved> {
  const id = idFor([groupId, userId]);
  const filter = { groupId, id: { $lte: upTo } };
  const [newest] = await tx.list("messages", filter, { sort: { id: -1 }, limit: 1 });
  const before = (await tx.find("readMarkers", id))?.seq ?? 0;
  const isMoved = newest !== undefined && newest.seq > before;
  if (isMoved) tx.put("readMarkers", { _id: id, groupId, userId, seq: newest.seq });
  const { readUpTo, unread } = await readingOf(tx, userId, groupId);
  const marked = { moved: isMoved, readUpTo, unread };
  return { marked, change: isMoved ? `${groupId}/${userId}/${newest.id}` : null };
}

/** Maximum messages with mentions that are counted, the newest ones first. */
const mostMentioning = 1000;

/** The number of messages above the marker that mention the user. The query only reads an index. */
async function countIn(db: Db, userId: number, groupId: number): Promise<number> {
  const marker = await collectionOf(db, "readMarkers").findOne({ _id: idFor([groupId, userId]) });
  const filter = { groupId, seq: { $gt: marker?.seq ?? 0 }, mentions: { $type: "string" as const } };
  const options = { sort: { seq: -1 }, limit: mostMentioning, projection: { _id: 0, mentions: 1 } } as const;
  const matches = await collectionOf(db, "messages").find(filter, options).toArray();
  return matches.filter(({ mentions }) => mentions === " * " || mentions?.includes(` ${userId} `) === true).length;
}

/** How far users have read rooms. */
export const createReadingVerbs = ({ db, batches: { read, write, single } }: StoreDeps): ReadingVerbs => ({
  countMentions: (userId, groupIds) =>
    single(
      async () =>
        new Map(
          await Promise.all(groupIds.map(async (groupId) => [groupId, await countIn(db, userId, groupId)] as const)),
        ),
    ),
  findReadings: (userId, groupIds) =>
    read(async (tx) => {
      await loadReadings(tx, userId, groupIds);
      const readings = new Map<number, RoomReading>();
      for (const groupId of groupIds) readings.set(groupId, await readingOf(tx, userId, groupId));
      return readings;
    }),
  findReaders: ({ groupId, seq, userIds }) =>
    single(async () => {
      const _id = { $in: userIds.map((userId) => idFor([groupId, userId])) };
      const markers = await collectionOf(db, "readMarkers")
        .find({ _id, seq: { $gte: seq } })
        .toArray();
      return markers.map(({ userId }) => userId);
    }),
  async markRead({ ...mark }) {
    const { marked, change } = await write(`marker ${mark.groupId}/${mark.userId}`, (tx) => markRead(tx, mark));
    // Markers are the most frequent changes. In its own transaction, a change of the feed reads nothing, and many changes share
    // one transaction, so the feed does not wait for the reads of a marker. If the server ends in between, other connections of
    // the user see the marker when they connect again.
    if (change !== null) await write(feedRoot, (tx) => Promise.resolve(tx.report("marker", change)));
    return marked;
  },
});
