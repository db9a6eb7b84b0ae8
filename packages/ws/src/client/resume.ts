import type { ChannelName } from "../channels/table.ts";
import type { Frame } from "./frames.ts";

/** Tells the service that the device has a text. */
type Acknowledge = (id: number) => void;

type Query = Readonly<Record<string, string | undefined>>;

/** What carries over from one connection to the next. */
export interface Resume {
  readonly query: () => Query;
  /** Whether the next connection begins with what was missed. */
  readonly isWhole: () => boolean;
  /** The event as the caller gets it, or null for one that came before. */
  readonly receive: <E extends Frame>(event: E) => E | null;
  /** The caller has used an event. */
  readonly used: (event: Frame) => void;
}

/** A number in the data of an event; 0 if it is not there. */
function numberIn({ data }: Frame, field: "groupId" | "messageId" | "since" | "until" | "id"): number {
  const value: unknown = Reflect.get(Object(data), field);
  return typeof value === "number" ? value : 0;
}

/**
 * Rooms: the service replays messages in the order of their ids, over all rooms. Gaps come in the order of the rooms, so the
 * place to resume from moves on only with the next message: a cut among gaps has all of them told again.
 */
function resumeRooms(query: Query): Resume {
  let since = query["since"];
  /** The newest message of each room that was told, or announced by a gap. */
  const newest = new Map<number, number>();
  const passes = (groupId: number, id: number): boolean => {
    if (id <= (newest.get(groupId) ?? 0)) return false;
    newest.set(groupId, id);
    return true;
  };
  const receiveGap = <E extends Frame>(frame: E): E | null => {
    // Too many messages were recalled: what is known of the room is old.
    if (numberIn(frame, "since") === 0) return frame;
    const groupId = numberIn(frame, "groupId");
    const told = newest.get(groupId) ?? 0;
    if (!passes(groupId, numberIn(frame, "until"))) return null;
    const data: unknown = { ...Object(frame.data), since: Math.max(numberIn(frame, "since"), told) };
    return Object.assign({}, frame, { data });
  };
  return {
    query: () => (since === undefined ? query : { ...query, since }),
    isWhole: () => since !== undefined,
    receive(frame) {
      if (frame.type === "Gap") return receiveGap(frame);
      if (frame.type !== "GroupMessage") return frame;
      const [groupId, messageId] = [numberIn(frame, "groupId"), numberIn(frame, "messageId")];
      if (messageId > Number(since ?? 0)) since = String(messageId);
      return passes(groupId, messageId) ? frame : null;
    },
    used: () => {},
  };
}

/** Ids that a feed remembers: as many as can wait for a device. */
const remembered = 10_000;

/**
 * The feed of a device: what it has not acknowledged is sent again, and not always in the order of ids, because a poll elsewhere
 * may hold a text for a while. So ids are remembered, and what was used is acknowledged again.
 */
function resumeFeed(query: Query, acknowledge: Acknowledge): Resume {
  const isUsed = new Map<number, boolean>();
  const remember = (id: number): void => {
    isUsed.set(id, false);
    const [oldest] = isUsed.keys();
    if (isUsed.size > remembered && oldest !== undefined) isUsed.delete(oldest);
  };
  const isAcked = (query["ack"] ?? "1") === "1";
  return {
    query: () => (isAcked ? { ...query, ack: "1" } : query),
    isWhole: () => isAcked,
    receive(frame) {
      if (frame.type !== "TeleprinterMessage") return frame;
      const id = numberIn(frame, "id");
      const before = isUsed.get(id);
      if (before === undefined) {
        remember(id);
        return frame;
      }
      if (before && isAcked) acknowledge(id);
      return null;
    },
    used(frame) {
      if (frame.type !== "TeleprinterMessage") return;
      const id = numberIn(frame, "id");
      isUsed.set(id, true);
      if (isAcked) acknowledge(id);
    },
  };
}

/** Nothing is sent again: a watcher fetches what it missed, and what a chat was asked ends with its connection. */
const resumeNothing = (query: Query): Resume => ({
  query: () => query,
  isWhole: () => false,
  receive: (frame) => frame,
  used: () => {},
});

const kinds: { readonly [N in ChannelName]: (query: Query, acknowledge: Acknowledge) => Resume } = {
  rooms: resumeRooms,
  teleprinter: (query, acknowledge) =>
    query["deviceId"] === undefined ? resumeNothing(query) : resumeFeed(query, acknowledge),
  chat: resumeNothing,
};

/** How a channel goes on where the connection before ended. */
export const createResume = (channel: ChannelName, query: Query, acknowledge: Acknowledge): Resume =>
  kinds[channel](query, acknowledge);
