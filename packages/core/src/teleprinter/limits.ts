import { second } from "../time/units.ts";

/** The limits of devices. */
export interface TeleprinterLimits {
  /** Milliseconds without a sign of life after which a device is offline (interface 3.1). */
  readonly deviceSilence: number;
  /** Devices that a user may have. */
  readonly devicesPerUser: number;
  /** Messages that may wait for one device. */
  readonly deviceQueue: number;
  /** Milliseconds for which a poll holds its messages before they are free again. */
  readonly pollLease: number;
  /** Messages on their way to one device that have not been acknowledged. */
  readonly deviceWindow: number;
  /**
   * Milliseconds for which a device connection holds its messages. It renews that three times as often while it is open, so
   * that the texts of a server are free this long after it was killed.
   */
  readonly deviceLease: number;
  /** Milliseconds that `send` waits for an open socket to take its message. */
  readonly devicePushWait: number;
  /** Milliseconds that an open device connection has to answer when a second one comes. */
  readonly takeoverWait: number;
  /** Milliseconds that a server may take to answer until its holds of a device are taken over. */
  readonly serverSilence: number;
}

/** The default of each limit. */
export const teleprinterLimits: TeleprinterLimits = {
  deviceSilence: 90 * second,
  devicesPerUser: 1000,
  deviceQueue: 10_000,
  pollLease: 30 * second,
  deviceWindow: 1000,
  deviceLease: 30 * second,
  devicePushWait: 2 * second,
  takeoverWait: 5 * second,
  serverSilence: 4 * second,
};
