import type { ChannelName } from "../channels/table.ts";
import type { ClientClock, Pauses } from "./clock.ts";
import type { SocketError } from "./errors.ts";
import type { ClientConnection, OpenOptions } from "./open.ts";
import type { ChannelEvent } from "./types.ts";

/** The state of a followed channel. */
export type FollowState =
  | { readonly kind: "connecting" }
  /** Connected, and the service accepts the token. `isResumed`: all events since the previous connection are delivered. */
  | { readonly kind: "open"; readonly isResumed: boolean }
  /** `until` is in Unix milliseconds; null waits for {@link Follower.check}, or until `onEvent` has processed the backlog. */
  | { readonly kind: "waiting"; readonly until: number | null; readonly cause: SocketError }
  /** Ended permanently. */
  | { readonly kind: "closed"; readonly cause: SocketError };

/** `failed`: the device cannot use the text, and does not want it again. */
export type EventOutcome = "failed" | void;

/** Options of {@link followChannel}. */
export interface FollowOptions<N extends ChannelName> extends Omit<OpenOptions<N>, "onEvent">, Pauses {
  /**
   * Called for each event, one after another: the next event waits until the promise has resolved. The text of a device is then
   * acknowledged, or given up if the promise resolves with `failed`. If `onEvent` throws, the follower ends with that error as its `cause`.
   * `arrivedAt`: when the event arrived, by `clock`. The `life` of a text counts from then, also while the event waits for its turn.
   */
  readonly onEvent: (event: ChannelEvent<N>, arrivedAt: number) => Promise<EventOutcome> | EventOutcome;
  /**
   * Called with each new connection, before waiting calls are sent. If `isResumed` is false, load the missed state here. Settings
   * of the chat end with their connection, so send them again here. If `onOpen` throws, the connection is closed and opened again
   * later.
   */
  readonly onOpen?: (connection: ClientConnection<N>, isResumed: boolean) => Promise<void> | void;
  readonly onState?: (state: FollowState) => void;
  /** Ends the follower when it aborts. */
  readonly signal?: AbortSignal;
  /** Maximum events that wait for `onEvent`. Beyond it, the connection is closed until they have been processed. Default 1000. */
  readonly mostUnread?: number;
  /** True for close codes after which reconnecting is pointless. Default: 4000 and above. */
  readonly isFinal?: (code: number) => boolean;
  readonly clock?: ClientClock;
  /** Returns a number from 0 to 1, for the length of a pause. Default `Math.random`. */
  readonly random?: () => number;
}
