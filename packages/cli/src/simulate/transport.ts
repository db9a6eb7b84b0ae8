import type { DeviceMessageView } from "@telex/core";

/** How a device reaches the server: one file each. */
export interface DeviceTransport {
  /**
   * Receives until `stop` is aborted, then takes what still waits, and says goodbye. Each message is handed over once;
   * it counts as delivered when `use` has resolved.
   */
  receive(use: (message: DeviceMessageView) => Promise<void>, stop: AbortSignal): Promise<void>;
  /** Sends one text and answers the stored message. A repeat with the same nonce changes nothing. */
  sync(content: string, nonce: string): Promise<DeviceMessageView>;
}
