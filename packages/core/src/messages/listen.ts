import { createSemaphore, type FanOut, type HeldListener, type Replayed } from "@telex/ground/concurrency";
import type { Logger } from "@telex/ground/log";
import type { LiveConnection } from "@telex/ground/live";
import type { MessagesLiveEvent } from "./live-events.ts";
import { replay, type ReplayDeps } from "./replay.ts";

/** Options of a connection that listens to chat rooms (decisions: `since`, `echo`). */
export interface ListenOptions {
  /** True to get also the messages that its own user sends from other connections. */
  readonly echo: boolean;
  /** True for events and fields that clients of the interface do not know. Default: false. */
  readonly more?: boolean | undefined;
  /**
   * Replays messages with a greater id before live messages follow; null for no replay. Over several servers, a few messages that were stored
   * before may come with null, too; with `ready`, only messages that are stored after it is ready.
   */
  readonly since: number | "ready" | null;
}

/** A connection that listens to the chat rooms of its user. */
export interface Listening {
  /** Resolves when the missed messages are on their way. Live messages follow. */
  readonly ready: Promise<void>;
  /** Stops, also before it is ready. */
  stop(): void;
}

interface ListenDeps extends ReplayDeps {
  /** Call it when a connection of this user listens. The returned function is called when it stops. */
  readonly present: (userId: number) => () => void;
  /** Follows the rooms of this user on the bus, until the returned function is called; null if this is the only server. */
  readonly follow: ((userId: number) => Promise<() => void>) | null;
  /** A connection of this user with `more` begins to hear of changes of rooms, until the returned function is called. */
  readonly enterNews: (userId: number) => Promise<() => void>;
}

interface Start {
  readonly connection: LiveConnection<MessagesLiveEvent>;
  readonly echo: boolean;
  readonly more: boolean;
  /** The user is online until this is called. */
  readonly left: () => void;
  listener: HeldListener | null;
  readonly ends: (() => void)[];
  isStopped: boolean;
}

/** Reads what may have changed during an await. */
const isStopped = (start: Start): boolean => start.isStopped;

function stop(start: Start): void {
  start.isStopped = true;
  start.left();
  start.listener?.stop();
  for (const end of start.ends.splice(0)) end();
}

async function follow({ follow: followRooms, enterNews }: ListenDeps, start: Start): Promise<void> {
  for (const begin of [start.more ? enterNews : null, followRooms]) {
    const end = await begin?.(start.connection.holder.userId);
    if (start.isStopped) end?.();
    else if (end !== undefined) start.ends.push(end);
  }
}

function listenLive(fanOut: FanOut<MessagesLiveEvent>, start: Start): void {
  start.listener = fanOut.listen(start.connection, start);
  start.listener.release(new Map());
}

/** Resolves with the newest message of each room that was replayed. */
async function replayTo(deps: ListenDeps, start: Start, since: number | "ready"): Promise<Replayed> {
  const { connection, echo, more } = start;
  if (since === "ready") return deps.store.findNewest(await deps.listGroupsOf(connection.holder.userId));
  return replay(deps, connection, { since, echo, more, isStopped: () => start.isStopped });
}

/** Replays the messages that the connection missed, while new ones are held. */
async function catchUp(
  fanOut: FanOut<MessagesLiveEvent>,
  deps: ListenDeps,
  start: Start,
  since: number | "ready",
): Promise<void> {
  await follow(deps, start);
  if (isStopped(start)) return;
  const listener = fanOut.listen(start.connection, start);
  start.listener = listener;
  const replayed = await replayTo(deps, start, since);
  if (!isStopped(start)) listener.release(replayed);
}

/**
 * Lets connections begin to listen. Only a few replays run simultaneously. A connection whose replay waits does not listen yet,
 * so no messages are kept for it; messages that are published during its replay wait until the replay is complete.
 */
export function createListen(fanOut: FanOut<MessagesLiveEvent>, log: Logger, deps: ListenDeps) {
  const replays = createSemaphore(deps.limits.replaysAtOnce, Number.POSITIVE_INFINITY);
  const begin = async (start: Start, since: ListenOptions["since"]): Promise<void> => {
    if (since === null) {
      listenLive(fanOut, start);
      return follow(deps, start);
    }
    const leave = await replays.enter(1);
    await catchUp(fanOut, deps, start, since).finally(leave);
  };

  return (connection: LiveConnection<MessagesLiveEvent>, { echo, more = false, since }: ListenOptions): Listening => {
    const left = deps.present(connection.holder.userId);
    const start: Start = { connection, echo, more, left, listener: null, ends: [], isStopped: false };
    const ready = begin(start, since).catch((cause: unknown) => {
      // Without its replay the connection would miss messages: it comes again with the same `since`.
      log.error("listen.replay_failed", { userId: connection.holder.userId }, cause);
      stop(start);
      connection.close("too_slow");
    });
    return { ready, stop: () => stop(start) };
  };
}
