import { chatCommands } from "../ai/contract.ts";
import type { LiveConnection as LiveConnectionOf } from "@telex/ground/live";
import { messageEvents } from "../messages/contract.ts";
import type { MessagesLiveEvent } from "../messages/live-events.ts";
import { roomCommands } from "../rooms/contract.ts";
import { roomEvents, type RoomsLiveEvent } from "../rooms/live-events.ts";
import { deviceCommands, deviceEvents } from "../teleprinter/contract.ts";
import type { DeviceConnection as DeviceConnectionOf } from "../teleprinter/connection.ts";
import type { TeleprinterLiveEvent } from "../teleprinter/live-events.ts";

/** The schemas of the events for open connections, by capability. */
export const liveEvents = {
  messages: { ...messageEvents, ...roomEvents },
  teleprinter: deviceEvents,
  ai: {},
} as const;

/** The commands that only connections have, by capability. */
export const connectionCommands = { messages: roomCommands, teleprinter: deviceCommands, ai: chatCommands } as const;

/**
 * An event for open connections. All receivers get the same object, and events that leave together are the same array for all:
 * a transport may cache the encoded form of either by identity.
 */
export type LiveEvent = MessagesLiveEvent | RoomsLiveEvent | TeleprinterLiveEvent;

/** An open connection of a user, as a transport gives it to core. */
export interface LiveConnection extends LiveConnectionOf<LiveEvent> {}

/** The open connection of a device, as a transport gives it to core. */
export interface DeviceConnection extends DeviceConnectionOf<LiveEvent> {}
