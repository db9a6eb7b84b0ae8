import { nextTick } from "@telex/ground/concurrency";
import type { MessageStore } from "../messages/store.ts";

/** A room, and the id of the newest message that it had at a moment; 0 for none. */
interface Active {
  readonly groupId: number;
  readonly activity: number;
  /** 1 if it is archived, otherwise 0. */
  readonly archived: number;
}

interface ActivityPage {
  readonly groupIds: readonly number[];
  readonly nextCursor: string | null;
}

interface ActivityQuery {
  readonly groupIds: readonly number[];
  /** The rooms that come last. */
  readonly archived: readonly number[];
  readonly cursor: string | undefined;
  readonly pageSize: number;
}

/** The start of a page. `moment`: messages with a greater id do not count, so that no room moves between two pages. */
interface Position extends Active {
  readonly moment: number;
}

const lookedAt = 500;

async function newestOf(
  store: Pick<MessageStore, "findNewest">,
  groupIds: readonly number[],
  upTo: number,
): Promise<ReadonlyMap<number, number>> {
  const newest: (readonly [number, number])[] = [];
  for (let start = 0; start < groupIds.length; start += lookedAt) {
    if (start > 0) await nextTick();
    newest.push(...(await store.findNewest(groupIds.slice(start, start + lookedAt), upTo)));
  }
  return new Map(newest);
}

/** The most active first. Those without messages come after them, by id; then in the same order those that are archived. */
const compare = (a: Active, b: Active): number =>
  a.archived - b.archived || b.activity - a.activity || a.groupId - b.groupId;

function readCursor(cursor: string): Position {
  const [moment = 0, activity = 0, groupId = 0, archived = 0] = cursor.split(".").map(Number);
  return { moment, activity, groupId, archived };
}

async function findMoment(store: Pick<MessageStore, "findNewest">, groupIds: readonly number[]): Promise<number> {
  const newest = await newestOf(store, groupIds, Number.MAX_SAFE_INTEGER);
  return newest.values().reduce((greatest, id) => Math.max(greatest, id), 0);
}

/**
 * A page of rooms by their activity. Every page of a list looks at the rooms as they were at the moment of its first page: each
 * room is on exactly one page, however rooms move up between the pages, unless it is archived or opened between them. Reads the newest message
 * of each room.
 */
export async function pageByActivity(
  store: Pick<MessageStore, "findNewest">,
  { groupIds, archived, cursor, pageSize }: ActivityQuery,
): Promise<ActivityPage> {
  const position = cursor === undefined ? null : readCursor(cursor);
  const moment = position?.moment ?? (await findMoment(store, groupIds));
  const newest = await newestOf(store, groupIds, moment);
  const putAway = new Set(archived);
  const rest = groupIds
    .map((groupId): Active => ({
      groupId,
      activity: newest.get(groupId) ?? 0,
      archived: Number(putAway.has(groupId)),
    }))
    .filter((room) => position === null || compare(position, room) < 0)
    .toSorted(compare);
  const page = rest.slice(0, pageSize);
  const last = page.at(-1);
  const isEnd = last === undefined || rest.length === page.length;
  return {
    groupIds: page.map(({ groupId }) => groupId),
    nextCursor: isEnd ? null : [moment, last.activity, last.groupId, last.archived].join("."),
  };
}
