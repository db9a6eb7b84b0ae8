import type { LiveConnection, LiveEvent } from "../live.ts";
import type { Limits } from "../limits.ts";
import type { Room } from "../groups/rooms.ts";
import type { MessageRecord, MessageStore } from "./store.ts";
import type { ViewMessage } from "./view.ts";

/** What a replay needs. */
export interface ReplayDependencies {
  readonly store: MessageStore;
  readonly listGroupsOf: (userId: number) => Promise<readonly number[]>;
  readonly findRoom: (groupId: number) => Promise<Room | null>;
  readonly view: ViewMessage;
  readonly limits: Limits;
}

/** Tells whether an event was part of a replay. */
export type Replayed = (event: LiveEvent) => boolean;

/** Messages that leave in one write. */
const chunk = 100;

async function gaps(
  { store, findRoom }: ReplayDependencies,
  groupIds: readonly number[],
  since: number,
): Promise<Extract<LiveEvent, { kind: "gap" }>[]> {
  const newest = await store.findNewest(groupIds);
  const events: Extract<LiveEvent, { kind: "gap" }>[] = [];
  for (const [groupId, until] of newest) {
    const room = until > since ? await findRoom(groupId) : null;
    if (room === null) continue;
    events.push({ kind: "gap", data: { groupId, groupType: room.group.groupType, since, until } });
  }
  return events;
}

async function toEvents(deps: ReplayDependencies, records: readonly MessageRecord[]): Promise<LiveEvent[]> {
  const events: LiveEvent[] = [];
  for (const record of records) {
    const room = await deps.findRoom(record.groupId);
    if (room !== null) events.push({ kind: "message", data: deps.view(record, room.group) });
  }
  return events;
}

/**
 * Tells a connection what it missed since a message id: the messages in their order, or where they are too many, one gap
 * for each room. Answers what it has told, so that the live mirror can go on without a double.
 */
export async function replay(
  deps: ReplayDependencies,
  connection: LiveConnection,
  { since, echo }: { readonly since: number; readonly echo: boolean },
): Promise<Replayed> {
  const { userId } = connection.holder;
  const groupIds = await deps.listGroupsOf(userId);
  const limit = deps.limits.replayMessages;
  const missed = await deps.store.listSince({ groupIds, after: since, limit: limit + 1 });
  if (missed.length > limit) {
    const events = await gaps(deps, groupIds, since);
    connection.write(events);
    const until = new Map(events.map(({ data }) => [data.groupId, data.until]));
    return ({ kind, data }) => kind === "message" && data.messageId <= (until.get(data.groupId) ?? 0);
  }
  const own = String(userId);
  const told = missed.filter((record) => echo || record.external || record.userId !== own);
  const events = await toEvents(deps, told);
  for (let start = 0; start < events.length; start += chunk) connection.write(events.slice(start, start + chunk));
  const ids = new Set(told.map(({ id }) => id));
  return ({ kind, data }) => kind === "message" && ids.has(data.messageId);
}
