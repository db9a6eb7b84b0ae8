import type { LiveConnection } from "@telex/ground/live";
import type { TextOrder } from "./store.ts";
import type { TeleprinterLiveEvent } from "./live-events.ts";

/** The open connection of a device, as a transport gives it to core. */
export interface DeviceConnection<E = TeleprinterLiveEvent> extends LiveConnection<E> {
  /** Like `write`; resolves with true when the socket has taken all of it, with false when it is gone. */
  push(events: readonly E[]): Promise<boolean>;
  /** Resolves with true when the other side answers a ping within `wait` milliseconds. */
  ping(wait: number): Promise<boolean>;
}

export interface DeviceConnect {
  readonly deviceId: string;
  /** True if the device acknowledges each message. Otherwise a message is delivered when the socket has taken it. */
  readonly ack: boolean;
  /**
   * True if this connection replaces an older one that still answers, and ends polls that wait. A connection that every newer one may
   * replace resolves `ping` with false. Default: false.
   */
  readonly takesOver?: boolean;
  /** Default: by id. */
  readonly order?: TextOrder;
}

/** How a connection gets its texts. */
export type FeedMode = Required<Pick<DeviceConnect, "ack" | "takesOver">> & Pick<DeviceConnect, "order">;
