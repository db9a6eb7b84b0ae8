import { createMultimap, type Multimap } from "./multimap.ts";
import { atEndOfTick } from "./tick.ts";

/** An open connection of a user. */
interface Connection<E> {
  readonly holder: { readonly userId: number };
  /** Sends events, in order, in one write. Never waits and never throws. */
  write(events: readonly E[]): void;
}

/** A new message for the members of its room, or another event of the room. */
interface Publication<E> {
  /** Null if only connections with `more` get an event. */
  readonly event: E | null;
  /** Connections with `more` get this instead. */
  readonly more?: E;
  /** The receivers, by user id. Publications with the same object share their encoded form. */
  readonly members: ReadonlyMap<number, unknown>;
  /** The user who caused the event. Null for the external network: then all members get the event. */
  readonly sender: number | null;
  /** The connection that sent it. It gets the result, and therefore not the event. */
  readonly origin: object | null;
}

/** A publication with its number, counting from 1. */
interface Numbered<E> extends Publication<E> {
  readonly number: number;
}

/** A connection that listens. While it is held, its events are collected. */
interface Listener<E> {
  readonly connection: Connection<E>;
  readonly echo: boolean;
  readonly more: boolean;
  /** The number of the last publication before it began to listen. */
  readonly from: number;
  collected: E[] | null;
  readonly isIn: FanOutDeps<E>["isIn"];
  /** The messages that were replayed to it. A message that reaches this server late may be among them. */
  replayed: Replayed | null;
}

/** Publications to the same members, and the arrays of their events that receivers without and with `more` share. */
interface Mail<E> {
  readonly publications: readonly Numbered<E>[];
  readonly events: readonly E[];
  readonly more: readonly E[];
}

/** The id of the newest message of each room that a replay covered. */
export type Replayed = ReadonlyMap<number, number>;

/** A listener whose events are held until its replay has ended. */
export interface HeldListener {
  /** Writes the held events, except replayed ones, and then live events. */
  release(replayed: Replayed): void;
  stop(): void;
}

/** The events that a connection gets in addition. */
interface ListenerOptions {
  /** Events about actions of its own user on other connections. */
  readonly echo: boolean;
  /** Events that are not part of the interface. */
  readonly more: boolean;
}

/** Delivers events of rooms to the connections of their members. */
export interface FanOut<E> {
  listen(connection: Connection<E>, options: ListenerOptions): HeldListener;
  /** Publishes one event. Call it in the order of the ids: each connection gets events in the order of the calls. */
  publish(publication: Publication<E>): void;
  /** True if a connection of this user listens with `more`. */
  hasMore(userId: number): boolean;
}

/** Returns the event for connections with or without `more`, or null if these connections get no event. */
const eventOf = <E>({ event, more }: Publication<E>, hasMore: boolean): E | null => (hasMore ? (more ?? event) : event);

function isRecipient<E>(
  { connection, echo, more, from, replayed, isIn }: Listener<E>,
  publication: Numbered<E>,
): boolean {
  const { sender, origin, number } = publication;
  const event = eventOf(publication, more);
  if (event === null || number <= from || (replayed !== null && isIn(replayed, event))) return false;
  return sender !== connection.holder.userId || (echo && origin !== connection);
}

function write<E>(listener: Listener<E>, events: readonly E[]): void {
  if (listener.collected === null) listener.connection.write(events);
  else listener.collected.push(...events);
}

const eventsOf = <E>(publications: readonly Publication<E>[], hasMore: boolean): readonly E[] =>
  publications.map((publication) => eventOf(publication, hasMore)).filter((event) => event !== null);

function mailOf<E>(publications: readonly Numbered<E>[]): Mail<E> {
  const events = eventsOf(publications, false);
  const isSame = publications.every(({ more }) => more === undefined);
  return { publications, events, more: isSame ? events : eventsOf(publications, true) };
}

/** The events for a listener about its rooms, in the order of publication. */
function eventsFor<E>(listener: Listener<E>, mails: readonly Mail<E>[]): readonly E[] {
  const isOurs = (publication: Numbered<E>): boolean => isRecipient(listener, publication);
  const [only] = mails;
  if (only !== undefined && mails.length === 1) {
    const { publications } = only;
    const events = listener.more ? only.more : only.events;
    return publications.every(isOurs) ? events : eventsOf(publications.filter(isOurs), listener.more);
  }
  const ours = mails.flatMap(({ publications }) => publications).filter(isOurs);
  return eventsOf(
    ours.toSorted((a, b) => a.number - b.number),
    listener.more,
  );
}

type Addressed<E> = readonly [Listener<E>, readonly Mail<E>[]];

function address<E>(batch: readonly Numbered<E>[], listeners: Pick<Listeners<E>, "of">): readonly Addressed<E>[] {
  const groups = Map.groupBy(batch, (publication) => publication.members);
  const all = [...groups].flatMap(([members, publications]) => {
    const mail = [mailOf(publications)];
    return [...members.keys()].flatMap((userId) =>
      Array.from(listeners.of(userId), (listener): Addressed<E> => [listener, mail]),
    );
  });
  // A member is in a room only once, so the events of one room need no merging.
  return groups.size === 1 ? all : mergeMails(all);
}

function mergeMails<E>(all: readonly Addressed<E>[]): readonly Addressed<E>[] {
  const merged = new Map<Listener<E>, readonly Mail<E>[]>();
  for (const [listener, mails] of all) merged.set(listener, [...(merged.get(listener) ?? []), ...mails]);
  return [...merged];
}

type Listeners<E> = Multimap<number, Listener<E>>;

interface FanOutDeps<E> {
  /** Counts written events. */
  readonly tally: { toRooms: number };
  /** Called with the number of connections that get a batch. */
  readonly observer: { readonly fanOut?: ((receivers: number) => void) | undefined };
  /** True for an event that a replay has covered. */
  readonly isIn: (replayed: Replayed, event: E) => boolean;
}

function addHeld<E>(listeners: Listeners<E>, listener: Listener<E>): HeldListener {
  const { connection } = listener;
  const { userId } = connection.holder;
  listeners.add(userId, listener);
  return {
    release(replayed) {
      const events = (listener.collected ?? []).filter((event) => !listener.isIn(replayed, event));
      listener.collected = null;
      listener.replayed = replayed.size === 0 ? null : replayed;
      if (events.length > 0) connection.write(events);
    },
    stop: () => void listeners.remove(userId, listener),
  };
}

/**
 * Writes events to `slice` listeners per tick, with one write for each listener. Events that are published during a walk
 * go with the next walk, so no tick is long, and batches grow with the load. The first slice is written in the tick of the
 * publication, so that a sender's result and the messages of others are sent together.
 */
function createWalk<E>(
  listeners: Listeners<E>,
  slice: number,
  { tally, observer }: FanOutDeps<E>,
): (publication: Numbered<E>) => void {
  let pending: Numbered<E>[] = [];
  let isWalking = false;

  const step = (addressed: readonly Addressed<E>[], start: number): void => {
    for (const [listener, mails] of addressed.slice(start, start + slice)) {
      const events = eventsFor(listener, mails);
      if (events.length === 0) continue;
      tally.toRooms += events.length;
      write(listener, events);
    }
    if (start + slice < addressed.length) setImmediate(step, addressed, start + slice);
    else if (pending.length > 0) setImmediate(walk);
    else isWalking = false;
  };
  const walk = (): void => {
    const batch = pending;
    pending = [];
    const addressed = address(batch, listeners);
    observer.fanOut?.(addressed.length);
    step(addressed, 0);
  };
  return (publication) => {
    pending.push(publication);
    if (isWalking) return;
    isWalking = true;
    atEndOfTick(walk);
  };
}

/** @param slice maximum listeners that are written to in one tick */
export function createFanOut<E>(slice: number, deps: FanOutDeps<E>): FanOut<E> {
  const listeners: Listeners<E> = createMultimap();
  const walk = createWalk(listeners, slice, deps);
  let published = 0;
  return {
    listen: (connection, { echo, more }) =>
      addHeld(listeners, { connection, echo, more, from: published, collected: [], isIn: deps.isIn, replayed: null }),
    hasMore: (userId) => Array.from(listeners.of(userId)).some(({ more }) => more),
    publish(publication) {
      published += 1;
      walk({ ...publication, number: published });
    },
  };
}
