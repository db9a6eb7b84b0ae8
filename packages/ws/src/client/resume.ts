import type { ChannelName } from "../channels/table.ts";
import type { Frame } from "./frames.ts";

/** Acknowledges a text of the device, or gives it up. */
type Acknowledge = (id: number, failed: boolean) => void;

type Query = Readonly<Record<string, string | undefined>>;

/** State that carries over from one connection to the next. */
export interface Resume {
  readonly query: () => Query;
  /** True if the next connection delivers everything that was missed. */
  readonly isWhole: () => boolean;
  /** Returns the event for the caller, or null if it is a repeat. */
  readonly receive: <E extends Frame>(event: E) => E | null;
  /** Notes that the caller has processed an event. */
  readonly used: (event: Frame, failed?: boolean) => void;
}

/** A number in the data of an event; 0 if it is not there. */
function numberIn({ data }: Frame, field: "groupId" | "messageId" | "since" | "until" | "id"): number {
  const value: unknown = Reflect.get(Object(data), field);
  return typeof value === "number" ? value : 0;
}

/**
 * Rooms: the service replays messages in the order of their ids, over all rooms. Gaps are ordered by room, so the position to
 * resume from advances only with the next message: after a cut among gaps, all of them are sent again.
 */
function resumeRooms(query: Query): Resume {
  let since = query["since"];
  /** The newest message of each room that was delivered, or announced by a gap. */
  const newest = new Map<number, number>();
  const passes = (groupId: number, id: number): boolean => {
    if (id <= (newest.get(groupId) ?? 0)) return false;
    newest.set(groupId, id);
    return true;
  };
  const receiveGap = <E extends Frame>(frame: E): E | null => {
    // Too many messages were recalled, so the cached state of the room is outdated.
    if (numberIn(frame, "since") === 0) return frame;
    const groupId = numberIn(frame, "groupId");
    const last = newest.get(groupId) ?? 0;
    if (!passes(groupId, numberIn(frame, "until"))) return null;
    const data: unknown = { ...Object(frame.data), since: Math.max(numberIn(frame, "since"), last) };
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

type Outcome = "waits" | "used" | "failed";

/** Maximum ids that a feed remembers: as many as can wait for a device. */
const remembered = 10_000;

/**
 * The feed of a device. The service sends unacknowledged texts again, not always in the order of their ids, because a poll may
 * hold a text for a while. The feed therefore remembers ids, and acknowledges repeats again.
 */
function resumeFeed(query: Query, acknowledge: Acknowledge): Resume {
  const outcomes = new Map<number, Outcome>();
  const remember = (id: number): void => {
    outcomes.set(id, "waits");
    const [oldest] = outcomes.keys();
    if (outcomes.size > remembered && oldest !== undefined) outcomes.delete(oldest);
  };
  const isAcked = (query["ack"] ?? "1") === "1";
  return {
    query: () => (isAcked ? { ...query, ack: "1" } : query),
    isWhole: () => isAcked,
    receive(frame) {
      if (frame.type !== "TeleprinterMessage") return frame;
      const id = numberIn(frame, "id");
      const before = outcomes.get(id);
      if (before === undefined) {
        remember(id);
        return frame;
      }
      if (before !== "waits" && isAcked) acknowledge(id, before === "failed");
      return null;
    },
    used(frame, failed = false) {
      if (frame.type !== "TeleprinterMessage") return;
      const id = numberIn(frame, "id");
      outcomes.set(id, failed ? "failed" : "used");
      if (isAcked) acknowledge(id, failed);
    },
  };
}

/** Channels without a replay: a watcher loads what it missed, and replies of a chat end with their connection. */
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

/** Creates the state from which a channel resumes. */
export const createResume = (channel: ChannelName, query: Query, acknowledge: Acknowledge): Resume =>
  kinds[channel](query, acknowledge);
