/** A registered device. */
export interface DeviceRecord {
  readonly deviceId: string;
  readonly name: string;
  /** The user who registered the ID first and holds it. */
  readonly owner: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** Unix milliseconds of the last sign of life. */
  readonly lastSeen: number;
  /** True from an explicit `offline` until the next sign of life. */
  readonly away: boolean;
  /** The AI model that answers what the device says; null for none. */
  readonly ai: string | null;
}

/** Where a text goes. */
export type Direction = "to_device" | "from_device";

/** A stored teleprinter message. */
export interface DeviceMessageRecord {
  /** Increases in the order of commit within a device; never given twice, not even after `releaseDevice`. */
  readonly id: number;
  readonly deviceId: string;
  readonly direction: Direction;
  readonly content: string;
  readonly delivered: boolean;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** The guard of every verb that names a device: it exists, and the caller holds it. */
export type DeviceRefusal = { readonly outcome: "missing" } | { readonly outcome: "not_owner" };

/** A device and who claims to hold it. */
export interface DeviceKey {
  readonly deviceId: string;
  readonly owner: number;
}

/** What is stored by {@link TeleprinterStore.append}. */
export interface DeviceAppend extends DeviceKey {
  readonly direction: Direction;
  readonly content: string;
  /** Unix milliseconds. */
  readonly now: number;
  /** With it a repeat within `nonceLife` of the same direction stores nothing and answers with the first message. */
  readonly nonce: string | null;
  /** Milliseconds. */
  readonly nonceLife: number;
  /** Undelivered messages that may wait for the device; counts for `to_device` only. */
  readonly queueLimit: number;
}

/** What {@link TeleprinterStore.append} did. */
export type DeviceAppended =
  | { readonly outcome: "appended" | "repeated"; readonly message: DeviceMessageRecord; readonly device: DeviceRecord }
  | { readonly outcome: "nonce_conflict" }
  | { readonly outcome: "full" }
  | DeviceRefusal;

/** Who wants a device. */
export interface DeviceClaim extends DeviceKey {
  readonly name: string;
  /** Unix milliseconds. */
  readonly now: number;
  /** Devices that the owner may hold. Without it, there is no limit. */
  readonly deviceLimit?: number;
}

/** The outcome of a claim. */
export type DeviceClaimed =
  | { readonly outcome: "claimed" | "renewed"; readonly device: DeviceRecord }
  | { readonly outcome: "taken" | "full" };

/** What {@link TeleprinterStore.take} asks for. */
export interface DeviceTake extends DeviceKey {
  /** 1 and above. */
  readonly limit: number;
  /** A random word that names who holds the messages from now on. */
  readonly holder: string;
  /** Unix milliseconds. */
  readonly now: number;
  /** Unix milliseconds at which held messages are free again by themselves. */
  readonly until: number;
}

/**
 * Devices and their texts. Every verb is atomic: of N callers at once, in one process or in many, each sees the state
 * before or after another, never between. A promise resolves only when the change is durable, unless a verb says otherwise.
 */
export interface TeleprinterStore {
  /**
   * Gives a free ID to the caller, or renames a device that the caller holds; a sign of life in both cases. Of N owners
   * that claim a free ID at once exactly one MUST get it. Giving away a free ID reports a change of `device`. Without `ai`
   * a held device keeps its model, and a free one gets none. An owner who holds `deviceLimit` devices MUST NOT get another one,
   * however many call simultaneously: `full`, which changes nothing.
   */
  claimDevice(claim: DeviceClaim & { readonly ai?: string | null }): Promise<DeviceClaimed>;

  /** Changes the name alone: not a sign of life. */
  renameDevice(
    rename: DeviceKey & { readonly name: string },
  ): Promise<{ readonly outcome: "renamed"; readonly device: DeviceRecord } | DeviceRefusal>;

  /**
   * Gives a free ID to the caller under `name`, or takes a device that the caller holds as it is, name and model included;
   * a sign of life in both cases. Raises the generation of the ID and reports a change of `device`, so that tokens of the
   * device that were issued before end. Of N owners that pair a free ID simultaneously exactly one MUST get it. `deviceLimit`
   * counts as for `claimDevice`.
   */
  pairDevice(claim: DeviceClaim): Promise<DeviceClaimed>;

  /**
   * The generation of a device ID: 0 at first, raised by `pairDevice` and by `releaseDevice`. It outlives the device, so
   * that no generation of an ID is ever given twice. One indexed read.
   */
  findGeneration(deviceId: string): Promise<number>;

  /**
   * A sign of life: sets `lastSeen` to `now` unless it is later already, and ends `away`. MAY become durable up to two
   * seconds later, and MUST be visible to every verb of this process at once.
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

  /** Frees the ID, raises its generation, deletes its messages and nonces, and reports a change of `device`. */
  releaseDevice(key: DeviceKey): Promise<{ readonly outcome: "released" } | DeviceRefusal>;

  /**
   * Stores one message: `to_device` undelivered, `from_device` delivered and a sign of life, also when it is a repeat. Ids
   * MUST increase in the order in which calls of one process for one device arrive. MUST NOT store a second message for a
   * repeated nonce, nor let more than `queueLimit` messages wait, however many call at once. A failure stores nothing.
   */
  append(append: DeviceAppend): Promise<DeviceAppended>;

  /**
   * Holds the oldest undelivered messages that nobody holds, at most `limit`, oldest first. Two callers MUST NOT get the
   * same message. What is held need not survive the end of the process: then it is free again. Costs nothing durable.
   */
  take(
    take: DeviceTake,
  ): Promise<{ readonly outcome: "taken"; readonly messages: readonly DeviceMessageRecord[] } | DeviceRefusal>;

  /**
   * Moves the end of everything that `holder` holds of this device to `until` (Unix milliseconds). MUST NOT touch what is
   * free because it was put back, or what another holder took when its time was over. Costs nothing durable.
   */
  renew(renewal: { readonly deviceId: string; readonly holder: string; readonly until: number }): Promise<void>;

  /**
   * Marks messages that `holder` holds as delivered, durably. Ids that it does not hold (any more) are passed over.
   * Answers the ids that this call marked.
   */
  deliver(delivery: {
    readonly deviceId: string;
    readonly holder: string;
    readonly ids: readonly number[];
  }): Promise<readonly number[]>;

  /** Frees what `holder` holds, in its old place in the queue; with `ids` only those. */
  requeue(release: {
    readonly deviceId: string;
    readonly holder: string;
    readonly ids?: readonly number[];
  }): Promise<void>;

  /**
   * Marks every undelivered message that nobody holds with an id up to `upTo` as delivered, durably, and answers the oldest
   * undelivered ones that nobody holds, at most `limit`, oldest first, without holding them. An `upTo` above the greatest
   * id of the device's messages (of both directions) changes nothing.
   */
  acknowledge(ack: DeviceKey & { readonly upTo: number; readonly limit: number; readonly now: number }): Promise<
    | {
        readonly outcome: "acknowledged";
        readonly messages: readonly DeviceMessageRecord[];
        readonly marked: readonly number[];
      }
    | { readonly outcome: "above_newest"; readonly newest: number }
    | DeviceRefusal
  >;

  /** Messages of both directions below `before` (all when null), newest first, at most `limit`. */
  page(
    page: DeviceKey & { readonly before: number | null; readonly limit: number },
  ): Promise<
    | { readonly outcome: "page"; readonly messages: readonly DeviceMessageRecord[]; readonly more: boolean }
    | DeviceRefusal
  >;
}
