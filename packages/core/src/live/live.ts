import { createLateLru } from "../concurrency/late-lru.ts";
import type { z } from "zod";
import { chatCommands } from "../ai/contract.ts";
import { createMultimap } from "../concurrency/multimap.ts";
import type { TokenHolder } from "../contract/caller.ts";
import { messageEvents } from "../messages/contract.ts";
import { readMarker } from "../rooms/contract.ts";
import { deviceCommands, deviceEvents } from "../teleprinter/contract.ts";

/** What is pushed to open connections: the schema of the data of each kind, by the capability that it belongs to. */
export const liveEvents = {
  messages: { ...messageEvents, read_marker: readMarker },
  teleprinter: deviceEvents,
  ai: {},
} as const;

/** What only connections can ask for, by the capability that it belongs to. */
export const connectionCommands = { messages: {}, teleprinter: deviceCommands, ai: chatCommands } as const;

type EventsOf<T> = { [K in keyof T]: T[K] extends z.ZodType ? { kind: K; data: z.output<T[K]> } : never }[keyof T];

/**
 * Something that is told to open connections. One event is one object for all its receivers, and the events that leave
 * together are one array: a transport may keep the encoded form of either by identity.
 */
export type LiveEvent = Readonly<
  EventsOf<(typeof liveEvents)["messages"]> | EventsOf<(typeof liveEvents)["teleprinter"]>
>;

/** Why Telex closes a connection. */
export type CloseReason =
  | "token_ended"
  | "replaced"
  | "in_use"
  | "unregistered"
  | "not_owner"
  | "too_slow"
  | "too_many"
  | "stopping";

/** An open connection of a user, as a transport gives it to core. */
export interface LiveConnection {
  /** Whose it is; its token decides how long it lives. */
  readonly holder: TokenHolder;
  /** The name of its channel, such as `rooms`, for figures; left out by what is not a socket. */
  readonly channel?: string;
  /**
   * Puts events on their way, in order, in one write. Never waits and never throws: a connection on which too much waits
   * closes itself.
   */
  write(events: readonly LiveEvent[]): void;
  close(reason: CloseReason): void;
}

/** Who is connected now, in this process. */
export interface LiveConnections {
  /** Takes a connection in, or closes it where its token has ended; the returned function lets it go. */
  attach(connection: LiveConnection): () => void;
  /** The connections of a user. */
  of(userId: number): ReadonlySet<LiveConnection>;
  /** Whether a token was ended lately, or the one with which an admin has issued it. */
  hasEnded(holder: TokenHolder): boolean;
  /** Closes the connections of a token, of those that an admin has issued with it, and those that still come with one of them. */
  endToken(tokenId: number): void;
  /**
   * Closes the connections whose token is for an earlier generation of a device, and those that still come with one. A token
   * that has `chat` as well goes on.
   */
  endDevice(deviceId: string, generation: number): void;
  /** Closes the connections whose token has expired at `now` (Unix milliseconds). */
  endExpired(now: number): void;
  /** Closes every connection. */
  closeAll(reason: CloseReason): void;
  readonly size: number;
  /** How many are open, by channel. */
  readonly byChannel: () => Readonly<Record<string, number>>;
}

/** Ended tokens, and devices, that are remembered: a connection may arrive whose token was looked up before it ended. */
const remembered = 10_000;

/** The open connections, by their users. */
function createHeld() {
  const all = new Set<LiveConnection>();
  const byUser = createMultimap<number, LiveConnection>();
  return {
    all,
    of: byUser.of,
    add(connection: LiveConnection): void {
      all.add(connection);
      byUser.add(connection.holder.userId, connection);
    },
    remove(connection: LiveConnection): void {
      all.delete(connection);
      byUser.remove(connection.holder.userId, connection);
    },
  };
}

/** Which tokens have ended, as far as it is remembered. */
function createEnded() {
  const tokens = createLateLru<number, true>(remembered);
  const generations = createLateLru<string, number>(remembered);
  const isEarlier = (holder: TokenHolder, deviceId: string): boolean => {
    const generation = holder.generations?.get(deviceId);
    const latest = generations.get(deviceId);
    return generation !== undefined && latest !== undefined && generation < latest && !holder.scopes.includes("chat");
  };
  return {
    tokens,
    generations,
    isEarlier,
    has: (holder: TokenHolder): boolean =>
      [holder.tokenId, holder.issuer].some((id) => typeof id === "number" && tokens.has(id)) ||
      [...(holder.generations?.keys() ?? [])].some((deviceId) => isEarlier(holder, deviceId)),
  };
}

/** An empty set of connections. */
export function createLiveConnections(): LiveConnections {
  const held = createHeld();
  const ended = createEnded();
  const endWhere = (isMeant: (holder: TokenHolder) => boolean, reason: CloseReason): void => {
    for (const connection of [...held.all].filter(({ holder }) => isMeant(holder))) {
      held.remove(connection);
      connection.close(reason);
    }
  };
  return {
    attach(connection) {
      if (ended.has(connection.holder)) {
        connection.close("token_ended");
        return () => {};
      }
      held.add(connection);
      return () => held.remove(connection);
    },
    of: held.of,
    hasEnded: ended.has,
    endToken(tokenId) {
      ended.tokens.set(tokenId, true);
      endWhere((holder) => holder.tokenId === tokenId || holder.issuer === tokenId, "token_ended");
    },
    endDevice(deviceId, generation) {
      ended.generations.set(deviceId, generation);
      endWhere((holder) => ended.isEarlier(holder, deviceId), "token_ended");
    },
    endExpired: (now) => endWhere(({ expiresAt }) => expiresAt !== null && expiresAt <= now, "token_ended"),
    closeAll: (reason) => endWhere(() => true, reason),
    get size() {
      return held.all.size;
    },
    byChannel() {
      const counts: Record<string, number> = {};
      for (const { channel } of held.all) if (channel !== undefined) counts[channel] = (counts[channel] ?? 0) + 1;
      return counts;
    },
  };
}
