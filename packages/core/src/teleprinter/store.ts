import type { NonceReuse } from "@telex/ground/contract";
import type { DeviceKey, DeviceRefusal } from "./device-key.ts";
import type { ScheduleStore } from "./schedule/store.ts";
import type { DeviceRecord, DeviceMessageRecord } from "../records/teleprinter.ts";

export type { DeviceKey, DeviceRefusal } from "./device-key.ts";

/** The direction of a text. */
export type Direction = DeviceMessageRecord["direction"];

/** A text for {@link TeleprinterStore.append}. */
export interface DeviceAppend extends DeviceKey {
  readonly direction: Direction;
  readonly content: string;
  /** Unix milliseconds. */
  readonly now: number;
  /** With it, a repeat in the same direction within `nonceLife` stores nothing and returns the first message. */
  readonly nonce: string | null;
  /** For a nonce that names one text after another. Default: a nonce names one text, and another content is a conflict. */
  readonly nonceReuse?: NonceReuse | undefined;
  /** Milliseconds. */
  readonly nonceLife: number;
  /** Undelivered messages that may wait for the device; counts for `to_device` only. */
  readonly queueLimit: number;
  /** True for a text of the room that the device prints; counts for `to_device` only. Default: false. */
  readonly room?: boolean;
  /** Default: null. */
  readonly title?: string | null;
  /** The name of the application that wrote the text. Default: null. */
  readonly via?: string | null;
  /** 1 to 5, the most urgent first. Default: 3. */
  readonly priority?: number;
  /** Unix milliseconds. Default: null, for a text that does not expire. */
  readonly expiresAt?: number | null;
  /** The id of the schedule of the text, which ends in the same step if the text is stored or is a repeat. Default: null. */
  readonly scheduleId?: number | null;
}

/** The room that a device prints. */
interface PrintedRoom {
  readonly groupId: number;
  /** Only messages that mention the owner of the device. */
  readonly mentions: boolean;
  /** Seconds after which a text of the room is not printed any more. Default: null, for texts that do not expire. */
  readonly life?: number | null | undefined;
}

/** The result of {@link TeleprinterStore.append}. */
export type DeviceAppended =
  | { readonly outcome: "appended" | "repeated"; readonly message: DeviceMessageRecord; readonly device: DeviceRecord }
  | { readonly outcome: "nonce_conflict" }
  | { readonly outcome: "full" }
  /** There is no such schedule: it was sent already, or removed. */
  | { readonly outcome: "unscheduled" }
  | DeviceRefusal;

/** A user who claims a device. */
export interface DeviceClaim extends DeviceKey {
  readonly name: string;
  /** Unix milliseconds. */
  readonly now: number;
  /** Devices that the owner may have. Default: no limit. */
  readonly deviceLimit?: number;
}

/** The fields of a device that change without a sign of life. */
export type DeviceChange = Partial<
  Pick<DeviceRecord, "name" | "tags" | "program" | "transport" | "can" | "fault" | "faultAt">
>;

/** The outcome of a claim. */
export type DeviceClaimed =
  | { readonly outcome: "claimed" | "renewed"; readonly device: DeviceRecord }
  | { readonly outcome: "taken" | "full" };

/** The order in which a device gets its texts: the most urgent ones first, ties by id. */
export type TextOrder = "priority";

/** Options of {@link TeleprinterStore.take}. */
export interface DeviceTake extends DeviceKey {
  /** 1 and above. */
  readonly limit: number;
  /** Only messages with a greater id, which a connection does not have. Default: 0. */
  readonly after?: number;
  /** A random word that names the holder of the queue. */
  readonly holder: string;
  /** True if the queue is held also without texts to take. Default: false. */
  readonly keep?: boolean;
  /** Unix milliseconds. */
  readonly now: number;
  /** Unix milliseconds at which another holder may take. */
  readonly until: number;
  /** True: texts of a room are left out, and wait as before. Default: false. */
  readonly withoutRooms?: boolean;
  /** Default: by id. */
  readonly order?: TextOrder;
}

/** Another holder has the queue of a device, and its time is not over. */
export interface DeviceHeld {
  readonly outcome: "held";
  readonly holder: string;
}

/**
 * Devices and their texts. Every verb is atomic: if N callers call simultaneously, in one process or in several, each sees
 * the state before or after another call, never a state in between. A promise resolves only when the change is durable,
 * unless a verb says otherwise.
 */
export interface TeleprinterStore extends ScheduleStore {
  /**
   * Assigns a free ID to the caller, or renames a device that the caller owns. Both are a sign of life. Of N owners that
   * claim a free ID simultaneously, exactly one MUST get it. Assigning a free ID reports a change of `device`. Without `ai`,
   * `room` or `tags`, an existing device keeps its model, room or tags, and a new one has none. An owner with `deviceLimit` devices MUST NOT get another one,
   * however many call simultaneously: the outcome is `full`, and nothing changes.
   */
  claimDevice(
    claim: DeviceClaim & {
      readonly ai?: string | null;
      readonly room?: PrintedRoom | null;
      readonly tags?: readonly string[];
    },
  ): Promise<DeviceClaimed>;

  /** Changes the given fields only. It is not a sign of life. */
  amendDevice(
    amend: DeviceKey & { readonly change: DeviceChange },
  ): Promise<{ readonly outcome: "amended"; readonly device: DeviceRecord } | DeviceRefusal>;

  /**
   * Assigns a free ID to the caller under `name`, or leaves a device that the caller owns as it is, including its name and
   * model. Both are a sign of life. Raises the generation of the ID and reports a change of `device`, so that earlier tokens
   * of the device end. Of N owners that pair a free ID simultaneously, exactly one MUST get it. `deviceLimit` counts as for
   * `claimDevice`.
   */
  pairDevice(claim: DeviceClaim): Promise<DeviceClaimed>;

  /**
   * The generation of a device ID: 0 at first, raised by `pairDevice` and by `releaseDevice`. It is kept when the device is
   * removed, so that no generation of an ID occurs twice. One indexed read.
   */
  findGeneration(deviceId: string): Promise<number>;

  /**
   * A sign of life: sets `lastSeen` to `now` unless it is already later, and ends `away`. MAY become durable up to two
   * seconds later, but MUST be visible to every verb of this process immediately.
   */
  touchDevice(
    touch: DeviceKey & { readonly now: number },
  ): Promise<{ readonly outcome: "touched"; readonly device: DeviceRecord } | DeviceRefusal>;

  /** Sets `away`. Does not change `lastSeen`. */
  leaveDevice(key: DeviceKey): Promise<{ readonly outcome: "left"; readonly device: DeviceRecord } | DeviceRefusal>;

  /** The device, or null. */
  findDevice(deviceId: string): Promise<DeviceRecord | null>;

  /** All devices of an owner, last seen first, ties by ID. */
  listDevices(owner: number): Promise<readonly DeviceRecord[]>;

  /**
   * The devices that print a room, by ID. Called for each message of a room: its cost MUST NOT grow with the number of devices
   * that print nothing of the room.
   */
  listPrinters(groupId: number): Promise<readonly DeviceRecord[]>;

  /** Frees the ID, raises its generation, deletes its messages, nonces and schedules, and reports a change of `device`. */
  releaseDevice(key: DeviceKey): Promise<{ readonly outcome: "released" } | DeviceRefusal>;

  /**
   * Stores one message: `to_device` as undelivered, `from_device` as delivered and as a sign of life, also if it is a repeat. Ids
   * MUST increase in the order in which calls of one process for one device arrive. A text from a device that prints a room is stored with `room` true. MUST NOT store a second message for a
   * repeated nonce, except as `nonceReuse` says, and MUST NOT let more than `queueLimit` messages wait that have not expired, however many call simultaneously. A failure stores
   * nothing. Of N that store the text of one schedule simultaneously, exactly one MUST store it.
   */
  append(append: DeviceAppend): Promise<DeviceAppended>;

  /**
   * Holds the queue of a device for `holder` until `until`, and returns its oldest undelivered messages above `after`, at most
   * `limit`, oldest first. A queue has one holder, so no message passes an older one that is on its way over another connection: while
   * the time of another holder is not over, the outcome is `held`, and nothing changes. If N holders call simultaneously, at most one
   * MUST get messages. The same holder may take again, and moves its end. Without messages, the queue is held only with `keep`; an empty
   * queue is `taken` without `keep`, whichever holder it has. Texts that have expired are left out. Holds do not have to survive the end of the process. Writes nothing durable.
   */
  take(
    take: DeviceTake,
  ): Promise<
    { readonly outcome: "taken"; readonly messages: readonly DeviceMessageRecord[] } | DeviceHeld | DeviceRefusal
  >;

  /**
   * Moves the end of the hold of `holder` to `until` (Unix milliseconds). False, and nothing changes, if `holder` no longer has the
   * queue, because it was put back or because another one took it after its time. Writes nothing durable.
   */
  renew(renewal: { readonly deviceId: string; readonly holder: string; readonly until: number }): Promise<boolean>;

  /**
   * Marks messages as delivered, durably, if `holder` has the queue, and returns the ids that this call marked. Otherwise it
   * marks nothing: the queue was put back, or another holder took it after its time. With `ends`, the queue is free afterwards. With `ended`,
   * the messages end in that state instead. A text that expired on its way counts until `expireTexts` ends it.
   */
  deliver(delivery: {
    readonly deviceId: string;
    readonly holder: string;
    readonly ids: readonly number[];
    /** Default: they are delivered. */
    readonly ended?: Exclude<DeviceMessageRecord["ended"], null>;
    /** Default: false. */
    readonly ends?: boolean;
  }): Promise<readonly number[]>;

  /**
   * Frees the queue if `holder` has it. Undelivered texts are in their old position. Anyone may call it for a holder that is gone: the
   * holder then marks nothing any more.
   */
  requeue(release: { readonly deviceId: string; readonly holder: string }): Promise<void>;

  /**
   * Marks every undelivered message with an id up to `upTo` as delivered, durably. Returns the oldest remaining undelivered messages,
   * at most `limit`, oldest first, without holding the queue. An `upTo` above the greatest id of the device's messages (of both
   * directions) changes nothing. If messages wait and a holder has the queue whose time is not over, the outcome is `held`, and
   * nothing changes. With `withoutRooms`, texts of a room are neither marked nor returned. Texts that have expired are not returned, and are
   * marked only if they were returned before, or are named: `ids` are marked whatever `upTo` is, and `failedIds` end as failed.
   */
  acknowledge(
    ack: DeviceKey & {
      readonly upTo: number;
      readonly ids?: readonly number[];
      readonly failedIds?: readonly number[];
      readonly limit: number;
      readonly now: number;
      readonly withoutRooms?: boolean;
      /** Default: by id. */
      readonly order?: TextOrder;
    },
  ): Promise<
    | {
        readonly outcome: "acknowledged";
        readonly messages: readonly DeviceMessageRecord[];
        readonly marked: readonly number[];
      }
    | { readonly outcome: "above_newest"; readonly newest: number }
    | DeviceHeld
    | DeviceRefusal
  >;

  /** The number of texts that wait for all devices together, held ones included. For figures: it may read every device. */
  countQueued(): Promise<number>;

  /**
   * Messages of both directions below `before` (all when null), newest first, at most `limit`. With `withoutRooms`, texts that
   * were said in a room are left out.
   */
  page(
    page: DeviceKey & { readonly before: number | null; readonly limit: number; readonly withoutRooms?: boolean },
  ): Promise<
    | { readonly outcome: "page"; readonly messages: readonly DeviceMessageRecord[]; readonly more: boolean }
    | DeviceRefusal
  >;
}
