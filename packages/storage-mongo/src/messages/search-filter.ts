import type { MessageSearch } from "@telex/core/storage";
import type { Document } from "mongodb";
import type { Reads } from "../driver/transaction.ts";

/** Maximum messages of one room that one call searches. */
const mostOfRoom = 16_384;

export const mostText = 1_000_000;

/** The id down to which a call searches a large room. */
async function floorOf(tx: Reads, groupId: number, before: number | null): Promise<number> {
  const filter = { groupId, ...(before !== null && { id: { $lt: before } }) };
  const options = { sort: { id: -1 }, skip: mostOfRoom - 1, limit: 1 } as const;
  return (await tx.list("messages", filter, options))[0]?.id ?? 0;
}

/** The id down to which a call searches all rooms: 0 for the beginning. */
export async function floorOfAll(tx: Reads, groupIds: readonly number[], before: number | null): Promise<number> {
  const large = await tx.list("heads", { _id: { $in: groupIds }, seq: { $gt: mostOfRoom } });
  const floors: number[] = [];
  for (const { _id } of large) floors.push(await floorOf(tx, _id, before));
  return Math.max(0, ...floors);
}

/** Matches no message. */
const never: Document = { groupId: { $lt: 0 } };

/** The terms that a message must have: for each word, all terms of one of its spellings. */
export const termsOf = ({ words }: MessageSearch): Document[] =>
  words.map((spellings) => {
    const each = spellings.map((spelling): Document => (spelling.length === 0 ? {} : { terms: { $all: spelling } }));
    return each.length === 0 ? never : { $or: each };
  });

/** A condition on terms for the index: with only `$or` within `$and`, the database would read every message of a room. */
export function lookUpOf({ words }: MessageSearch): Document {
  const needed = words.flatMap((spellings) => (spellings.length === 1 ? (spellings[0] ?? []) : []));
  if (needed.length > 0) return { terms: { $all: [...new Set(needed)] } };
  const [spellings = []] = words;
  const first = spellings.flatMap(([term]) => (term === undefined ? [] : [term]));
  return first.length > 0 && first.length === spellings.length ? { terms: { $in: first } } : {};
}

/** The filter for the messages of any room. */
export const filterOf = ({ before, createdAfter, createdBefore }: MessageSearch, floor: number): Document => ({
  id: { $gte: floor, ...(before !== null && { $lt: before }) },
  createTime: { $gt: createdAfter ?? Number.MIN_SAFE_INTEGER, $lt: createdBefore ?? Number.MAX_SAFE_INTEGER },
  isRecalled: { $ne: true },
});

export const newestFirst = { id: -1 } as const;
