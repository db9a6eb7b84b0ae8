import { createLru } from "../caches/index.ts";
import { createMultimap } from "../concurrency/index.ts";
import type { TokenHolder } from "../contract/index.ts";

/** The reason why Telex closes a connection. */
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
  /** The caller of the connection. The connection ends with the token. */
  readonly holder: TokenHolder;
  /** The name of its channel, such as `rooms`, for metrics. Not set for connections that are not sockets. */
  readonly channel?: string;
  /**
   * Sends events, in order, in one write. Never waits and never throws: a connection with too much unsent data closes
   * itself.
   */
  write(events: readonly E[]): void;
  close(reason: CloseReason): void;
  /** Called when a device of any user was unregistered or paired again. */
  deviceRaised?(deviceId: string): void;
}

/** The open connections of this process. */
export interface LiveConnections<E> {
  /** Adds a connection, or closes it if its token has ended. The returned function removes it. */
  attach(connection: LiveConnection<E>): () => void;
  of(userId: number): ReadonlySet<LiveConnection<E>>;
  /** True if a token, or the admin's token that issued it, ended recently. */
  hasEnded(holder: TokenHolder): boolean;
  /** Closes the connections of a token and of tokens that an admin has issued with it, including later connections. */
  endToken(tokenId: number): void;
  /** Closes the connections of a session, including later ones. */
  endSession(sessionId: string): void;
  /**
   * Closes the connections of a suspended user and of tokens that the user has issued as an admin, including later connections, until
   * {@link LiveConnections.restoreUser}.
   */
  endUser(userId: number): void;
  /** Accepts connections again of a user who is no longer suspended. */
  restoreUser(userId: number): void;
  /** Forgets which users are suspended. */
  restoreUsers(): void;
  /**
   * Closes the connections whose token is for an earlier generation of a device, including later connections. Tokens that also
   * have `chat` stay valid.
   */
  endDevice(deviceId: string, generation: number): void;
  /** Closes the connections whose token has expired by `now` (Unix milliseconds). */
  endExpired(now: number): void;
  closeAll(reason: CloseReason): void;
  /** The open connections, the oldest first. */
  list(): readonly LiveConnection<E>[];
  readonly size: number;
  /** The number of open connections, by channel. */
  readonly byChannel: () => Readonly<Record<string, number>>;
}

/** Ended tokens, devices and suspended users that are remembered, because the token of a new connection may have ended after its look-up. */
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

/** The most recently ended tokens, sessions, users and generations. */
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

/** Creates the list of open connections, which is empty. */
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
