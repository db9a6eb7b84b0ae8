import { minute, second } from "../time/units.ts";

/** The limits of external networks. */
export interface GatewaysLimits {
  /** Milliseconds that an external network has for its answer to a message, from the moment at which the gateway has begun. */
  readonly gatewayAnswerTime: number;
  /** Milliseconds after which a message counts as not sent if the gateway has not begun. */
  readonly gatewayWait: number;
  /** Milliseconds that a message may wait for those before it, until the gateway has begun; then it counts as not sent. */
  readonly gatewayQueueTime: number;
  /** Messages of one account of an external network that may wait, in each direction. Those without an outcome count. */
  readonly gatewayQueue: number;
  /** Milliseconds in which all pictures and files of a received message are fetched. */
  readonly gatewayMediaTime: number;
  /** Pictures and files of external networks that are fetched simultaneously. */
  readonly gatewayMediaFetches: number;
  /** Milliseconds that the echo of an account's own message waits for messages that are being sent to its room. */
  readonly gatewayEchoWait: number;
  /** Milliseconds that `createTelex` waits for a gateway to start. */
  readonly gatewayStartTime: number;
  /** Milliseconds that `close` waits for a gateway. */
  readonly gatewayCloseTime: number;
}

/** The default of each limit. */
export const gatewaysLimits: GatewaysLimits = {
  gatewayAnswerTime: 30 * second,
  gatewayWait: 2 * minute,
  gatewayQueueTime: 10 * minute,
  gatewayQueue: 1000,
  gatewayMediaTime: 30 * second,
  gatewayMediaFetches: 16,
  gatewayEchoWait: 5 * second,
  gatewayStartTime: 5 * second,
  gatewayCloseTime: second,
};
