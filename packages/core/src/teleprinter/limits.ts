import { second } from "@telex/ground/time";

export const teleprinterLimits = {
  /** Milliseconds without a sign of life after which a device is offline (interface 3.1). */
  deviceSilence: 90 * second,
  /** Devices that a user may have. */
  devicesPerUser: 1000,
  /** Texts of one device, and of one user, that are sent later. */
  deviceSchedules: 1000,
  schedulesPerUser: 5000,
  /** Milliseconds for which a device may acknowledge a text that expired on its way. */
  deviceLifeGrace: 60 * second,
  /** Messages that may wait for one device. */
  deviceQueue: 10_000,
  /** Milliseconds for which a poll holds its messages before they are free again. */
  pollLease: 30 * second,
  /** Messages on their way to one device that have not been acknowledged. */
  deviceWindow: 1000,
  /**
   * Milliseconds for which a device connection holds its messages. It renews that three times as often while it is open, so
   * that the texts of a server are free this long after it was killed.
   */
  deviceLease: 30 * second,
  /** Milliseconds that `send` waits for an open socket to take its message. */
  devicePushWait: 2 * second,
  /** Milliseconds that an open device connection has to answer when a second one comes. */
  takeoverWait: 5 * second,
  /** Milliseconds that a server may take to answer until its holds of a device are taken over. */
  serverSilence: 4 * second,
};

export interface TeleprinterLimits extends Readonly<typeof teleprinterLimits> {}
