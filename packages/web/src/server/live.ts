import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import {
  type Caller,
  type ChannelEvent,
  type ClientConnection,
  followChannel,
  type Follower,
  type FollowOptions,
  type FollowState,
  SocketError,
} from "@telex/ws/client";
import { isPassing, type Problem, problemOf } from "./problem.ts";

/** The state of the page: connecting, up to date, connected and catching up, or not connected. */
type LiveState = "connecting" | "live" | "behind" | "offline";

/** The channels that pages use. */
export type PageChannel = "teleprinter" | "rooms" | "chat";

export interface LiveOptions<N extends PageChannel> extends Pick<
  FollowOptions<N>,
  "url" | "token" | "language" | "channel" | "query" | "connect" | "random"
> {
  /** Fetches missed events after each connection. `receive` is already called during this time. */
  readonly catchUp: (connection: ClientConnection<N>) => Promise<void>;
  readonly receive: (event: ChannelEvent<N>) => void;
  /** Called when the server has rejected the token. */
  readonly ended: (problem: Problem) => void;
  /** False if the browser reports that there is no network. */
  readonly hasNetwork: () => boolean;
}

/** A connection of the page, with its state. */
export interface Live {
  readonly state: ReadonlySignal<LiveState>;
  /** Connects immediately, or checks that the connection is alive. */
  readonly check: () => void;
  /** Closes the connection after the network is lost. */
  readonly drop: () => void;
  readonly close: () => void;
}

/** The close code for an invalid token. */
const tokenEnded = 4401;

/** If a call can succeed later, its failure closes the connection, so that everything is fetched after the next connection. */
async function catchUpOr(ended: (problem: Problem) => void, catchUp: () => Promise<void>): Promise<void> {
  try {
    await catchUp();
  } catch (error) {
    const problem = problemOf(error);
    if (error instanceof SocketError || isPassing(problem)) throw error;
    ended(problem);
  }
}

interface FollowDeps<N extends PageChannel> {
  readonly options: LiveOptions<N>;
  readonly state: Signal<LiveState>;
  readonly stop: AbortSignal;
  /** Closes the connection, if there is one. */
  readonly leave: (why: Away) => void;
}

type Away = Exclude<FollowState, { readonly kind: "connecting" | "open" }>;

/** Follows the channel, and updates `state`. */
function follow<N extends PageChannel>({ options, state, stop, leave }: FollowDeps<N>): Follower<N> {
  const { catchUp, receive, ended, hasNetwork: _hasNetwork, ...where } = options;
  return followChannel<N>({
    ...where,
    signal: stop,
    onEvent: receive,
    async onOpen(connection) {
      state.value = "behind";
      await catchUpOr(ended, () => catchUp(connection));
    },
    onState(next) {
      if (next.kind === "open") state.value = "live";
      else if (next.kind !== "connecting") leave(next);
    },
  });
}

/** Connects, and reconnects until it is closed. */
export function createLive<N extends PageChannel>(options: LiveOptions<N>): Live & Caller<N> {
  const { ended, hasNetwork } = options;
  const state = signal<LiveState>("connecting");
  const stop = new AbortController();
  const leave = (why: Away): void => {
    state.value = "offline";
    if (why.kind === "waiting" && !hasNetwork()) follower.drop();
    if (why.kind === "closed" && why.cause.code === tokenEnded) ended("invalidToken");
  };
  const follower: Follower<N> = follow({ options, state, stop: stop.signal, leave });
  const { call, check, drop } = follower;
  return { state, call, check, drop, close: () => stop.abort() };
}
