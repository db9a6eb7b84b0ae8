import type { DeviceMessageView } from "@telex/core";
import type { Connect } from "@telex/ws/client";
import type { Server } from "../client/server.ts";
import type { DeviceCalls } from "./calls.ts";
import type { DeviceClock } from "./faults.ts";

/** What a transport is made of. */
export interface DeviceParts {
  /** Calls with faults. */
  readonly call: DeviceCalls;
  readonly clock: DeviceClock;
  readonly deviceId: string;
  readonly server: Server;
  /** Opens WebSockets, faults included. */
  readonly connect: Connect;
}

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
