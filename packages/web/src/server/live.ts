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

/** How current the page is: being connected, up to date, connected and catching up, or not connected. */
type LiveState = "connecting" | "live" | "behind" | "offline";

/** The channels that pages use. */
export type PageChannel = "teleprinter" | "rooms" | "chat";

export interface LiveOptions<N extends PageChannel> extends Pick<
  FollowOptions<N>,
  "url" | "token" | "language" | "channel" | "query" | "connect" | "random"
> {
  /** Fetches missed events. Runs after each connection, while `receive` is called already. */
  readonly catchUp: (connection: ClientConnection<N>) => Promise<void>;
  readonly receive: (event: ChannelEvent<N>) => void;
  /** The server refused the token. */
  readonly ended: (problem: Problem) => void;
  /** False where the browser knows that there is no network. */
  readonly hasNetwork: () => boolean;
}

/** A connection of the page. Says how current the page is. */
export interface Live {
  readonly state: ReadonlySignal<LiveState>;
  /** Connects now, or makes sure that the connection is alive. */
  readonly check: () => void;
  /** Gives the connection up: the network is gone. */
  readonly drop: () => void;
  readonly close: () => void;
}

/** The close code for a token that is not valid. */
const tokenEnded = 4401;

/** A call of the server that can succeed later closes the connection, so that everything is fetched with the next one. */
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
  /** Ends the connection, if there is one. */
  readonly leave: (why: Away) => void;
}

type Away = Exclude<FollowState, { readonly kind: "connecting" | "open" }>;

/** Follows the channel, and says in `state` how current the page is. */
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

/** Connects, and connects again for as long as it is not closed. */
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
