import type { DeviceMessageView } from "@telex/core";
import type { Connect } from "@telex/ws/client";
import type { Server } from "../client/server.ts";
import type { DeviceCalls } from "./calls.ts";
import type { DeviceClock } from "./faults.ts";

export interface DeviceParts {
  /** Calls with faults. */
  readonly call: DeviceCalls;
  readonly clock: DeviceClock;
  readonly deviceId: string;
  readonly server: Server;
  /** Opens WebSockets, faults included. */
  readonly connect: Connect;
}

/** The connection of a device to the server, one file for each kind. */
export interface DeviceTransport {
  /**
   * Receives until `stop` aborts, then takes the waiting texts and disconnects. It passes on each message once. A message counts as
   * delivered when `use` has resolved.
   */
  receive(use: (message: DeviceMessageView) => Promise<void>, stop: AbortSignal): Promise<void>;
  /** Sends one text and returns the stored message. A repeat with the same nonce changes nothing. */
  sync(content: string, nonce: string): Promise<DeviceMessageView>;
}
