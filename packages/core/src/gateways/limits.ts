import { minute, second } from "@telex/ground/time";

export const gatewaysLimits = {
  /** Milliseconds that an external network has for its answer to a message, from the moment at which the gateway has begun. */
  gatewayAnswerTime: 30 * second,
  /** Milliseconds after which a message counts as not sent if the gateway has not begun. */
  gatewayWait: 2 * minute,
  /** Milliseconds that a message may wait for those before it, until the gateway has begun; then it counts as not sent. */
  gatewayQueueTime: 10 * minute,
  /** Messages of one account of an external network that may wait, in each direction. Those without an outcome count. */
  gatewayQueue: 1000,
  /** Milliseconds in which all pictures and files of a received message are fetched. */
  gatewayMediaTime: 30 * second,
  /** Pictures and files of external networks that are fetched simultaneously. */
  gatewayMediaFetches: 16,
  /** Milliseconds that the echo of an account's own message waits for messages that are being sent to its room. */
  gatewayEchoWait: 5 * second,
  /** Milliseconds that `createTelex` waits for a gateway to start. */
  gatewayStartTime: 5 * second,
  /** Milliseconds that `close` waits for a gateway. */
  gatewayCloseTime: second,
};

export interface GatewaysLimits extends Readonly<typeof gatewaysLimits> {}
