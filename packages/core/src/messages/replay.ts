import { nextTick, type Replayed } from "@telex/ground/concurrency";
import type { Room } from "../records/groups.ts";
import type { MessagesLimits } from "./limits.ts";
import type { LiveConnection } from "@telex/ground/live";
import type { MessagesLiveEvent } from "./live-events.ts";
import { amendEvents } from "./amend.ts";
import { recallEvent } from "./recalls/recall.ts";
import type { MessageStore } from "./store.ts";
import type { MessageRecord } from "../records/messages.ts";
import type { ShowMessage, ViewMessage } from "./view.ts";

export interface ReplayDeps {
  readonly store: MessageStore;
  readonly listGroupsOf: (userId: number) => Promise<readonly number[]>;
  readonly findRoom: (groupId: number) => Promise<Room | null>;
  readonly view: ViewMessage;
  readonly show: ShowMessage;
  readonly limits: MessagesLimits;
  /** See `Storage.idOverlap`. */
  readonly idOverlap: number;
}

interface ReplayOptions {
  readonly since: number;
  readonly echo: boolean;
  readonly more: boolean;
  /** True once the connection has closed: the rest of the replay is not written. */
  readonly isStopped: () => boolean;
}

type GapEvent = Extract<MessagesLiveEvent, { kind: "gap" }>;

/** Maximum events and bytes that one replay encodes in one tick of the event loop. */
const slice = { events: 100, bytes: 64 * 1024 };

const sizeOf = (event: MessagesLiveEvent): number => {
  if (event.kind !== "message" && event.kind !== "message_edited") return 0;
  return event.data.content.length + event.data.pinyin.length;
};

/** Cuts events into slices. A slice has at least one event. */
function* slicesOf(events: readonly MessagesLiveEvent[]): Generator<readonly MessagesLiveEvent[]> {
  let open: MessagesLiveEvent[] = [];
  let bytes = 0;
  for (const event of events) {
    const size = sizeOf(event);
    if (open.length === slice.events || (open.length > 0 && bytes + size > slice.bytes)) {
      yield open;
      open = [];
      bytes = 0;
    }
    open.push(event);
    bytes += size;
  }
  if (open.length > 0) yield open;
}

/** Writes events one slice a tick, so that a replay does not delay other connections. */
async function writeInSlices(
  connection: LiveConnection<MessagesLiveEvent>,
  events: readonly MessagesLiveEvent[],
  isStopped: () => boolean,
): Promise<void> {
  for (const part of slicesOf(events)) {
    if (isStopped()) return;
    connection.write(part);
    await nextTick();
  }
}

async function gaps({ store, findRoom }: ReplayDeps, groupIds: readonly number[], since: number): Promise<GapEvent[]> {
  const newest = await store.findNewest(groupIds);
  const events: GapEvent[] = [];
  for (const [groupId, until] of newest) {
    const room = until > since ? await findRoom(groupId) : null;
    if (room === null) continue;
    events.push({ kind: "gap", data: { groupId, groupType: room.group.groupType, since, until } });
  }
  return events;
}

async function toEvents(
  deps: ReplayDeps,
  records: readonly MessageRecord[],
  more: boolean,
): Promise<MessagesLiveEvent[]> {
  const events: MessagesLiveEvent[] = [];
  for (const record of records) {
    const room = await deps.findRoom(record.groupId);
    if (room !== null) events.push({ kind: "message", data: await deps.show(record, room.group, more) });
  }
  return events;
}

const isBy = ({ holder }: LiveConnection<MessagesLiveEvent>, external: boolean, userId: string | null): boolean =>
  !external && userId === String(holder.userId);

/** The client missed too many recalls or changes: its copy of these rooms is outdated from the first message on. */
async function staleRooms(
  { store, findRoom }: ReplayDeps,
  groupIds: readonly number[],
  after: number,
  list: "listRecalls" | "listAmended",
): Promise<GapEvent[]> {
  const events: GapEvent[] = [];
  for (const [groupId, until] of await store.findNewest(groupIds, after)) {
    const isStale = (await store[list]({ groupIds: [groupId], after, limit: 0 })) === null;
    const room = isStale ? await findRoom(groupId) : null;
    if (room === null) continue;
    events.push({ kind: "gap", data: { groupId, groupType: room.group.groupType, since: 0, until } });
  }
  return events;
}

/** The id up to which the client has all messages for certain. Another room may have stored a lower id than `since` later. */
const earlier = ({ idOverlap }: ReplayDeps, since: number): number => Math.max(0, since - idOverlap);

/** The recalls of messages that the connection has. Newer messages are replayed in their current state. */
async function missedRecalls(
  deps: ReplayDeps,
  connection: LiveConnection<MessagesLiveEvent>,
  groupIds: readonly number[],
  { since, echo }: ReplayOptions,
): Promise<MessagesLiveEvent[]> {
  const after = earlier(deps, since);
  const recalls = await deps.store.listRecalls({ groupIds, after, limit: deps.limits.replayMessages });
  if (recalls === null) return staleRooms(deps, groupIds, after, "listRecalls");
  const events: MessagesLiveEvent[] = [];
  for (const recall of recalls) {
    const isTold = recall.messageId <= since && (echo || !isBy(connection, recall.external, recall.operatorId));
    const room = isTold ? await deps.findRoom(recall.groupId) : null;
    if (room !== null) events.push(recallEvent(recall, room));
  }
  return events;
}

/** The messages that the connection knew already, and that were edited or reacted to. */
async function missedAmends(
  deps: ReplayDeps,
  groupIds: readonly number[],
  { since, more }: ReplayOptions,
): Promise<MessagesLiveEvent[]> {
  if (!more) return [];
  const after = earlier(deps, since);
  const amended = await deps.store.listAmended({ groupIds, after, limit: deps.limits.replayMessages });
  if (amended === null) return staleRooms(deps, groupIds, after, "listAmended");
  const events: MessagesLiveEvent[] = [];
  for (const message of amended) {
    const room = message.id <= since && message.extras !== null ? await deps.findRoom(message.groupId) : null;
    if (room !== null) events.push(...amendEvents(message, room, deps.view));
  }
  return events;
}

/** The messages that were missed, in their order; one gap for each room if they are too many or too large. */
async function missedMessages(
  deps: ReplayDeps,
  connection: LiveConnection<MessagesLiveEvent>,
  groupIds: readonly number[],
  { since, echo, more }: ReplayOptions,
): Promise<{ readonly events: readonly MessagesLiveEvent[]; readonly replayed: Replayed }> {
  const { replayMessages: limit, replayBytes: bytes } = deps.limits;
  const after = earlier(deps, since);
  const missed = await deps.store.listSince({ groupIds, after, limit, bytes });
  if (missed === null) {
    const events = await gaps(deps, groupIds, after);
    return { events, replayed: new Map(events.map(({ data }) => [data.groupId, data.until])) };
  }
  const shown = missed.filter(({ external, userId }) => echo || !isBy(connection, external, userId));
  return {
    events: await toEvents(deps, shown, more),
    replayed: new Map(missed.map(({ groupId, id }) => [groupId, id])),
  };
}

/**
 * Writes to a connection what it missed since a message id: recalls and changes of messages that it has, and the messages in their order,
 * or gaps if that is too much. Returns how far it covered each room, so that live messages continue without a repeat.
 */
export async function replay(
  deps: ReplayDeps,
  connection: LiveConnection<MessagesLiveEvent>,
  options: ReplayOptions,
): Promise<Replayed> {
  const groupIds = await deps.listGroupsOf(connection.holder.userId);
  const recalls = await missedRecalls(deps, connection, groupIds, options);
  const { events, replayed } = await missedMessages(deps, connection, groupIds, options);
  const amends = await missedAmends(deps, groupIds, options);
  await writeInSlices(connection, [...recalls, ...amends, ...events], options.isStopped);
  return replayed;
}
