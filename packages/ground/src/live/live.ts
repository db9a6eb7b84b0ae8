import { createLru } from "../caches/index.ts";
import { createMultimap } from "../concurrency/index.ts";
import type { TokenHolder } from "../contract/index.ts";

/** Why Telex closes a connection. */
export type CloseReason =
  | "token_ended"
  | "replaced"
  | "in_use"
  | "unregistered"
  | "not_owner"
  | "too_slow"
  | "too_many"
  | "stopping"
  | "draining";

/** An open connection of a user, as a transport gives it to core. */
export interface LiveConnection<E> {
  /** Whose it is; its token decides how long it lives. */
  readonly holder: TokenHolder;
  /** The name of its channel, such as `rooms`, for figures; left out by connections that are not sockets. */
  readonly channel?: string;
  /**
   * Puts events on their way, in order, in one write. Never waits and never throws: a connection on which too much waits
   * closes itself.
   */
  write(events: readonly E[]): void;
  close(reason: CloseReason): void;
  /** Called when a device, of any user, was unregistered or paired again. */
  deviceRaised?(deviceId: string): void;
}

/** The open connections of this process. */
export interface LiveConnections<E> {
  /** Takes a connection in, or closes it where its token has ended; the returned function lets it go. */
  attach(connection: LiveConnection<E>): () => void;
  of(userId: number): ReadonlySet<LiveConnection<E>>;
  /** True if a token, or the admin's token that issued it, ended recently. */
  hasEnded(holder: TokenHolder): boolean;
  /** Closes the connections of a token, of those that an admin has issued with it, and those that still come with one of them. */
  endToken(tokenId: number): void;
  /** Closes the connections of a session, and those that still come with it. */
  endSession(sessionId: string): void;
  /**
   * Closes the connections of a suspended user, those of tokens that the user has issued as an admin, and those that still come, until
   * {@link LiveConnections.restoreUser}.
   */
  endUser(userId: number): void;
  /** The user is not suspended: new connections are taken in. */
  restoreUser(userId: number): void;
  /** No user is known to be suspended. */
  restoreUsers(): void;
  /**
   * Closes the connections whose token is for an earlier generation of a device, and those that still come with one. A token
   * that has `chat` as well goes on.
   */
  endDevice(deviceId: string, generation: number): void;
  /** Closes the connections whose token has expired at `now` (Unix milliseconds). */
  endExpired(now: number): void;
  closeAll(reason: CloseReason): void;
  /** The open connections, the oldest first. */
  list(): readonly LiveConnection<E>[];
  readonly size: number;
  /** The number of open connections, by channel. */
  readonly byChannel: () => Readonly<Record<string, number>>;
}

/** Ended tokens, devices and suspended users that are remembered: a connection may arrive whose token was looked up before it ended. */
const remembered = 10_000;

function createOpenConnections<E>() {
  const all = new Set<LiveConnection<E>>();
  const byUser = createMultimap<number, LiveConnection<E>>();
  return {
    all,
    of: byUser.of,
    add(connection: LiveConnection<E>): void {
      all.add(connection);
      byUser.add(connection.holder.userId, connection);
    },
    remove(connection: LiveConnection<E>): void {
      all.delete(connection);
      byUser.remove(connection.holder.userId, connection);
    },
  };
}

/** The tokens, sessions, users and generations that have ended, as far as they are remembered. */
function createEnded() {
  const tokens = createLru<number, true>(remembered);
  const sessions = createLru<string, true>(remembered);
  const users = createLru<number, true>(remembered);
  const generations = createLru<string, number>(remembered);
  const isEarlier = (holder: TokenHolder, deviceId: string): boolean => {
    const generation = holder.generations?.get(deviceId);
    const latest = generations.get(deviceId);
    return generation !== undefined && latest !== undefined && generation < latest && !holder.scopes.includes("chat");
  };
  return {
    tokens,
    sessions,
    users,
    generations,
    isEarlier,
    has: (holder: TokenHolder): boolean =>
      [holder.tokenId, holder.issuer].some((id) => typeof id === "number" && tokens.has(id)) ||
      [holder.userId, holder.issuerId].some((id) => id !== undefined && users.has(id)) ||
      (holder.sessionId !== undefined && sessions.has(holder.sessionId)) ||
      [...(holder.generations?.keys() ?? [])].some((deviceId) => isEarlier(holder, deviceId)),
  };
}

/** Makes the connections of one instance: none are open. */
export function createLiveConnections<E>(): LiveConnections<E> {
  const open = createOpenConnections<E>();
  const ended = createEnded();
  const endWhere = (isMeant: (holder: TokenHolder) => boolean, reason: CloseReason): void => {
    for (const connection of [...open.all].filter(({ holder }) => isMeant(holder))) {
      open.remove(connection);
      connection.close(reason);
    }
  };
  return {
    attach(connection) {
      if (ended.has(connection.holder)) {
        connection.close("token_ended");
        return () => {};
      }
      open.add(connection);
      return () => open.remove(connection);
    },
    of: open.of,
    hasEnded: ended.has,
    endToken(tokenId) {
      ended.tokens.set(tokenId, true);
      endWhere((holder) => holder.tokenId === tokenId || holder.issuer === tokenId, "token_ended");
    },
    endSession(sessionId) {
      ended.sessions.set(sessionId, true);
      endWhere((holder) => holder.sessionId === sessionId, "token_ended");
    },
    endUser(userId) {
      ended.users.set(userId, true);
      endWhere((holder) => holder.userId === userId || holder.issuerId === userId, "token_ended");
    },
    restoreUser: (userId) => ended.users.delete(userId),
    restoreUsers: () => ended.users.clear(),
    endDevice(deviceId, generation) {
      ended.generations.set(deviceId, generation);
      endWhere((holder) => ended.isEarlier(holder, deviceId), "token_ended");
      for (const connection of open.all) connection.deviceRaised?.(deviceId);
    },
    endExpired: (now) => endWhere(({ expiresAt }) => expiresAt !== null && expiresAt <= now, "token_ended"),
    closeAll: (reason) => endWhere(() => true, reason),
    list: () => [...open.all],
    get size() {
      return open.all.size;
    },
    byChannel() {
      const counts: Record<string, number> = {};
      for (const { channel } of open.all) if (channel !== undefined) counts[channel] = (counts[channel] ?? 0) + 1;
      return counts;
    },
  };
}
