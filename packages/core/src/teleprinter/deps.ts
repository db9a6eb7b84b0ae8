import type { SharedLimits } from "@telex/ground/contract";
import type { Waiting } from "@telex/ground/concurrency";
import type { Logger } from "@telex/ground/log";
import type { Clock, Zone } from "@telex/ground/time";
import type { LiveConnections } from "@telex/ground/live";
import type { DeviceMessageView } from "./contract.ts";
import type { Feeds } from "./feeds.ts";
import type { Holders } from "./holders.ts";
import type { TeleprinterLimits } from "./limits.ts";
import type { PollBus } from "./poll.ts";
import type { Presence } from "./presence/presence.ts";
import type { DeviceKey, TeleprinterStore } from "./store.ts";
import type { DeviceRecord } from "../records/teleprinter.ts";

export interface TeleprinterDeps {
  readonly store: TeleprinterStore;
  readonly waiting: Waiting;
  readonly bus: PollBus;
  /** Call it when a device may have new texts, or when texts are free again: its polls ask the store, on every server. */
  readonly wakePolls: (deviceId: string) => void;
  /** A call of the storage failed: messages may be held until this time (Unix milliseconds). */
  readonly lookUntil: (deviceId: string, end: number) => void;
  readonly live: Pick<LiveConnections<never>, "attach">;
  readonly feeds: Feeds;
  readonly presence: Presence;
  readonly clock: Clock;
  readonly zone: Zone;
  readonly limits: TeleprinterLimits & SharedLimits;
  readonly log: Logger;
  readonly holders: Holders;
  /** Messages are free again: connections and polls of the device may take them, on every server. */
  readonly freed: (deviceId: string) => void;
  readonly stored: (owner: number, message: DeviceMessageView) => void;
  readonly said: (device: DeviceRecord, content: string) => void;
  /** @throws TelexError `not_found` if there is no such model */
  readonly assertModel: (model: string) => void;
  readonly rooms: DeviceRooms;
  /** Messages have reached their device. */
  readonly delivered: (key: DeviceKey, ids: readonly number[]) => void;
  /** The generation of a device was raised: ends the tokens that are for an earlier one. */
  readonly raised: (deviceId: string) => Promise<void>;
  readonly ordered: <T>(promise: Promise<T>) => Promise<T>;
}

export interface DeviceRooms {
  /** @throws TelexError `group_not_found` if the user is not a member of such a room */
  assertMember(groupId: number, userId: number): Promise<void>;
  /**
   * Sends a text of a device to its room, once for each text, however often it is called.
   * @throws TelexError as sending to the room. It does nothing if the owner is no longer a member
   */
  say(device: DeviceRecord, message: DeviceMessageView): Promise<void>;
  /** Call it after a change of the room that a device prints. */
  changed(): void;
}
