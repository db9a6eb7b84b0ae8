import { createLru, type Lru } from "@telex/ground/caches";
import type { Logger } from "@telex/ground/log";
import type { Clock } from "@telex/ground/time";
import type { RoomsOfMessages } from "../rooms.ts";
import type { Room } from "../../records/groups.ts";
import type { MessagesLimits } from "../limits.ts";
import type { MessageView } from "../contract.ts";
import type { MessageStore } from "../store.ts";
import type { MessageRecord } from "../../records/messages.ts";
import { createFreshness } from "./freshness.ts";

/** A stored message on its way to the members of its room. */
interface Arrival {
  readonly record: MessageRecord;
  readonly room: Room;
  /** Its view, if this server has stored it. */
  readonly data?: MessageView;
  /** The connection on which it was sent, if that is on this server. */
  readonly origin: object | null;
}

interface OrderDeps {
  readonly store: Pick<MessageStore, "listSince" | "findNewest" | "findMessage">;
  readonly findRoom: RoomsOfMessages["find"];
  readonly clock: Clock;
  readonly limits: { readonly roomCacheEntries: number } & Pick<
    MessagesLimits,
    "replayMessages" | "replayBytes" | "replaysAtOnce" | "lateMessageWait" | "lostMessageCheck"
  >;
  readonly log: Logger;
  /** Delivers to the members. Called for each message of a room once, in the order of `seq`. */
  readonly deliver: (arrival: Arrival) => void;
  /** Closes the connections of the members of a room that missed too much: they come again with `since`. */
  readonly missed: (room: Room) => void;
}

/** The last message of a room that this server has delivered. */
interface Head {
  /** The id of the newest message that was delivered, or that was stored when the ordering began. */
  id: number;
  /** Its `seq` in the room. */
  seq: number;
  /** Messages with a lower `seq` are not ordered: if this server stored them, they are delivered when they arrive. */
  first: number;
  /** Messages above a hole, or kept back until a check, by `seq`: at most `replayMessages`, and about `replayBytes`. */
  readonly waiting: Map<number, Arrival>;
  /** UTF-16 units of all messages that were added since `waiting` was empty. */
  units: number;
  /** The newest id that has arrived over the bus. */
  arrived: number;
  /** The id that the store showed at the last check. */
  seen: number;
  isFilling: boolean;
}

/**
 * Puts the messages of each room in order, whether they come from this server or from another one, and reads missing ones
 * from the store. Only a missing message delays others: a message that follows the newest one is delivered in the same tick, unless the last
 * check was too long ago.
 */
export interface Order {
  offer(arrival: Arrival): void;
  /** Begins to order these rooms: later messages that do not arrive over the bus are read by a check. */
  track(groupIds: readonly number[]): Promise<void>;
  /** Reads the messages that were stored before the last check and have not arrived. */
  check(): Promise<void>;
}

const checked = 500;

const createHead = (id: number, seq: number): Head => {
  return { id, seq, first: seq + 1, waiting: new Map(), units: 0, arrived: id, seen: id, isFilling: false };
};

async function findHead({ store }: OrderDeps, groupId: number, newest: number | undefined): Promise<Head> {
  const message = newest === undefined ? null : await store.findMessage(groupId, newest);
  return createHead(message?.id ?? 0, message?.seq ?? 0);
}

function tell({ deliver }: OrderDeps, head: Head, arrival: Arrival): void {
  head.id = arrival.record.id;
  head.seq = arrival.record.seq;
  deliver(arrival);
}

function tellWaiting(deps: OrderDeps, head: Head): void {
  if (head.waiting.size === 0) return;
  for (let next = take(head); next !== undefined; next = take(head)) tell(deps, head, next);
  for (const [seq, { record }] of head.waiting) if (record.id <= head.id) head.waiting.delete(seq);
}

function take(head: Head): Arrival | undefined {
  const seq = head.seq + 1;
  const next = head.waiting.get(seq);
  head.waiting.delete(seq);
  return next;
}

/** Moves a head to the newest message, because too many messages are missing. */
async function skip(deps: OrderDeps, head: Head, room: Room): Promise<void> {
  const { groupId } = room.group;
  const newest = await deps.store.findNewest([groupId]);
  Object.assign(head, await findHead(deps, groupId, newest.get(groupId)));
  deps.missed(room);
}

async function readAbove(deps: OrderDeps, groupId: number, head: Head): Promise<void> {
  const { replayMessages: limit, replayBytes: bytes } = deps.limits;
  const records = await deps.store.listSince({ groupIds: [groupId], after: head.id, limit, bytes });
  const room = await deps.findRoom(groupId);
  if (room === null) return;
  if (records === null) return skip(deps, head, room);
  for (const record of records) {
    // It may have arrived over the bus since.
    if (record.id > head.id) tell(deps, head, head.waiting.get(record.seq) ?? { record, room, origin: null });
  }
  tellWaiting(deps, head);
}

async function fill(deps: OrderDeps, groupId: number, head: Head): Promise<void> {
  try {
    await readAbove(deps, groupId, head);
  } catch (cause) {
    deps.log.error("messages.order_failed", { groupId }, cause);
  } finally {
    head.isFilling = false;
  }
}

function fillSoon(deps: OrderDeps, groupId: number, head: Head): void {
  if (head.isFilling) return;
  head.isFilling = true;
  // Servers that write to one room simultaneously may publish in another order than they stored.
  deps.clock.after(deps.limits.lateMessageWait, () => {
    if (head.arrived > head.id) void fill(deps, groupId, head);
    else head.isFilling = false;
  });
}

type Heads = Lru<number, Head>;

async function track(deps: OrderDeps, heads: Heads, groupIds: readonly number[]): Promise<void> {
  const unknown = groupIds.filter((groupId) => !heads.has(groupId));
  if (unknown.length === 0) return;
  const newest = await deps.store.findNewest(unknown);
  const add = async (groupId: number): Promise<void> => {
    const head = await findHead(deps, groupId, newest.get(groupId));
    if (!heads.has(groupId)) heads.set(groupId, head);
  };
  await Promise.all(unknown.map(add));
}

/** The heads that are behind the ids of the previous check. Notes the ids of this check. */
async function findLate({ store }: OrderDeps, heads: Heads, groupIds: readonly number[]) {
  const late: [number, Head][] = [];
  for (const [groupId, newest] of await store.findNewest(groupIds)) {
    const head = heads.peek(groupId);
    if (head === undefined || head.isFilling) continue;
    if (head.seen > head.id) late.push([groupId, head]);
    head.seen = newest;
  }
  return late;
}

/** Fills the rooms of an iterator. Several calls share it, so that each room is filled once. */
async function fillAll(deps: OrderDeps, late: ArrayIterator<[groupId: number, head: Head]>): Promise<void> {
  for (const [groupId, head] of late) {
    head.isFilling = true;
    await fill(deps, groupId, head);
  }
}

async function look(deps: OrderDeps, heads: Heads): Promise<void> {
  const groupIds = [...heads.keys()];
  for (let start = 0; start < groupIds.length; start += checked) {
    const late = (await findLate(deps, heads, groupIds.slice(start, start + checked))).values();
    await Promise.all(Array.from({ length: deps.limits.replaysAtOnce }, () => fillAll(deps, late)));
  }
}

/** Keeps at most as much as a replay contains. Further messages are read from the store, or skipped. */
function keep({ limits }: OrderDeps, head: Head, arrival: Arrival): void {
  head.arrived = Math.max(head.arrived, arrival.record.id);
  if (head.waiting.size === 0) head.units = 0;
  if (head.waiting.size >= limits.replayMessages || head.units >= limits.replayBytes) return;
  head.waiting.set(arrival.record.seq, arrival);
  head.units += arrival.record.content.length;
}

/** @param wait called for a message that is kept back until the next check; null if none is */
function offerAbove(deps: OrderDeps, head: Head, arrival: Arrival, wait: (() => void) | null): void {
  const { groupId, seq, id } = arrival.record;
  if (seq === head.seq + 1 && wait === null) {
    tell(deps, head, arrival);
    tellWaiting(deps, head);
  } else if (id > head.id) {
    keep(deps, head, arrival);
    if (wait === null) fillSoon(deps, groupId, head);
    else wait();
  } else if (seq < head.first && arrival.data !== undefined) deps.deliver(arrival);
}

export function createOrder(deps: OrderDeps): Order {
  const heads: Heads = createLru(deps.limits.roomCacheEntries);
  const { isStale, check: find } = createFreshness(deps, () => look(deps, heads));
  const check = async (): Promise<void> => {
    await find();
    for (const head of heads.values()) tellWaiting(deps, head);
  };
  const failed = (cause: unknown): void => deps.log.error("messages.check_failed", {}, cause);
  let isPaused = false;
  const checkNow = (): void => {
    if (isPaused) return;
    isPaused = true;
    const pause = (): void => void deps.clock.after(deps.limits.lateMessageWait, () => void (isPaused = false));
    void check().catch(failed).finally(pause);
  };
  return {
    offer(arrival) {
      const { groupId, seq, id } = arrival.record;
      const head = heads.get(groupId);
      if (head !== undefined) return offerAbove(deps, head, arrival, isStale() ? checkNow : null);
      heads.set(groupId, createHead(id, seq));
      deps.deliver(arrival);
    },
    track: (groupIds) => track(deps, heads, groupIds),
    check,
  };
}
