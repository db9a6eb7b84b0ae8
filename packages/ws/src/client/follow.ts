import type { ChannelName } from "../channels/table.ts";
import { addressOf } from "./address.ts";
import { systemClock } from "./clock.ts";
import { createConnections } from "./connections.ts";
import { givenUp, SocketError } from "./errors.ts";
import type { EventFrame } from "./frames.ts";
import { createKeeper } from "./keep.ts";
import { bounded, type Caller, defaultCalls } from "./open.ts";
import { createCallQueue, untilDone } from "./queue.ts";
import { createResume } from "./resume.ts";
import { createStates, type Shared, createEvents } from "./follow-events.ts";
import type { FollowState, FollowOptions } from "./follow-options.ts";

/** A channel that stays connected. */
export interface Follower<N extends ChannelName> extends Caller<N> {
  readonly state: FollowState;
  /**
   * Like `call`, but sends the command again if the connection ends before its result. Use it for commands that a repeat does not
   * change, such as those with a `nonce`.
   * @throws SocketError like `call`; `ended` only when the following has ended
   */
  readonly callUntilDone: Caller<N>["call"];
  /** Connects immediately if the follower waits; otherwise checks that the connection is alive. */
  readonly check: () => void;
  /** Drops the connection, and connects again only after {@link check}. For a program that knows that it is offline. */
  readonly drop: () => void;
  /** Resolves with the reason when the follower has ended. */
  readonly ended: Promise<SocketError>;
}

/** Codes from 4000 on are Telex's own. A retry does not help: the token, the device's owner, or the other connection must change. */
const isOwnCode = (code: number): boolean => code >= 4000;

const asEnd = (thrown: unknown): SocketError =>
  thrown instanceof SocketError ? thrown : givenUp("No connection can be made.", thrown);

function connectAll<N extends ChannelName>(shared: Shared<N>, event: (event: EventFrame<N>) => void) {
  const { options, clock, mostCalls, states, calls, resume } = shared;
  let isResumed = false;
  return createConnections({
    options,
    clock,
    event,
    query() {
      isResumed = resume.isWhole();
      return resume.query();
    },
    opened: async (connection) => await options.onOpen?.(bounded(connection, mostCalls), isResumed),
    ready(connection) {
      calls.use(connection);
      if (connection !== null) states.change({ kind: "open", isResumed });
    },
  });
}

function keepConnected<N extends ChannelName>(
  { options, clock, states }: Shared<N>,
  attempt: () => Promise<SocketError>,
) {
  const { random = Math.random, isFinal = isOwnCode, firstPause, longestPause } = options;
  const settings = { clock, random, isFinal, firstPause, longestPause };
  return createKeeper({
    ...settings,
    attempt() {
      states.change({ kind: "connecting" });
      return attempt();
    },
    waits: (until, cause) => states.change({ kind: "waiting", until, cause }),
  });
}

/** Ends the calls when the last connection has ended. A final close code is more useful than the reason for stopping. */
async function endAfter<N extends ChannelName>(
  { options, calls, states }: Shared<N>,
  run: Promise<SocketError>,
  stopped: () => SocketError | null,
): Promise<SocketError> {
  const { isFinal = isOwnCode } = options;
  const last = await run.catch(asEnd);
  const cause = isFinal(last.code) ? last : (stopped() ?? last);
  calls.end(cause);
  states.change({ kind: "closed", cause });
  return cause;
}

function onAbort(signal: AbortSignal | undefined, abort: () => void): void {
  if (signal?.aborted === true) abort();
  else signal?.addEventListener("abort", abort, { once: true });
}

/**
 * Keeps a connection to a channel open. It reconnects after pauses that grow, and resumes. Each message of a room and each text of
 * a device is delivered once and in order; if too many messages of a room were missed, a `Gap` event is delivered. Other
 * connections (a watcher of devices, a chat, rooms before their first message without `since`) cannot be resumed: `isResumed` is
 * false, and `onOpen` loads the missed state.
 *
 * A call is sent over the open connection, or waits for the next one. If the connection ends before its result, it fails
 * as `ended` with `isSent`; `callUntilDone` repeats it.
 * @throws TypeError if `url` is not an address of the web
 * @example
 * const stop = new AbortController();
 * const rooms = followChannel({ url, token, channel: "rooms", query: { since: "17" }, onEvent: show, signal: stop.signal });
 * await rooms.callUntilDone("sendGroupMessage", { groupId: 1, groupType: 1, message: "Hello.", nonce: crypto.randomUUID() });
 */
export function followChannel<N extends ChannelName>(options: FollowOptions<N>): Follower<N> {
  const { channel, query = {}, clock = systemClock, mostCalls = defaultCalls } = options;
  addressOf(options);
  const states = createStates(options.onState);
  const calls = createCallQueue<N>(mostCalls);
  const resume = createResume(channel, query, (id, failed) => connections.acknowledge(id, failed));
  const shared = { options, clock, mostCalls, states, calls, resume };
  let stopped: SocketError | null = null;
  const stop = (cause: SocketError): void => {
    stopped ??= cause;
    keeper.stop();
    connections.abandon(cause);
  };
  const hold = (why: string, message: string): void => {
    keeper.hold(why);
    connections.abandon(givenUp(message));
  };
  const events = createEvents(shared, {
    overflow: () => hold("unread", "onEvent is slower than what comes."),
    idle: () => keeper.release("unread"),
    failed: (cause) => stop(givenUp("onEvent failed.", cause)),
  });
  const connections = connectAll(shared, events.receive);
  const keeper = keepConnected(shared, connections.attempt);
  const ended = endAfter(shared, keeper.run(), () => stopped);
  onAbort(options.signal, () => events.end(() => stop(new SocketError("ended", 1000, "Ended by its signal."))));
  return {
    get state() {
      return states.now();
    },
    ended,
    call: calls.call,
    callUntilDone: untilDone(calls.call),
    check: () => {
      keeper.release("dropped");
      if (!connections.probe()) keeper.hurry();
    },
    drop: () => hold("dropped", "There is no network."),
  };
}
