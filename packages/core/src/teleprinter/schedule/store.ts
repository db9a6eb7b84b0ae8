import type { DeviceScheduleRecord } from "../../records/teleprinter.ts";
import type { DeviceKey, DeviceRefusal } from "../device-key.ts";

/** The result of {@link ScheduleStore.schedule}. */
type Scheduled =
  | { readonly outcome: "scheduled" | "repeated"; readonly schedule: DeviceScheduleRecord }
  | { readonly outcome: "nonce_conflict" }
  | { readonly outcome: "full" }
  | DeviceRefusal;

/** Texts that are sent later. They end with their device. */
export interface ScheduleStore {
  /**
   * Stores a text for later. An id that the device has already is a repeat if content and time are the same, and a conflict otherwise.
   * MUST NOT give a device more than `deviceLimit`, nor an owner more than `ownerLimit`, however many call simultaneously.
   */
  schedule(
    schedule: DeviceScheduleRecord & { readonly deviceLimit: number; readonly ownerLimit: number },
  ): Promise<Scheduled>;

  /** Removes a text that is not due yet. `absent` if it does not exist. */
  unschedule(
    key: DeviceKey & { readonly id: number },
  ): Promise<{ readonly outcome: "unscheduled" } | { readonly outcome: "absent" } | DeviceRefusal>;

  /** The texts of a device that are not sent yet, the next one first, ties by id. */
  listSchedules(
    key: DeviceKey,
  ): Promise<{ readonly outcome: "schedules"; readonly schedules: readonly DeviceScheduleRecord[] } | DeviceRefusal>;

  /**
   * The texts that are due at `now` (Unix milliseconds), the oldest first, ties by device and id, at most `limit`. Called each second: its
   * cost MUST NOT grow with the number of texts that are not due.
   */
  listDue(due: { readonly now: number; readonly limit: number }): Promise<readonly DeviceScheduleRecord[]>;

  /**
   * Ends texts that expired before `before` (Unix milliseconds), at most `limit`, and returns their number. They no longer wait then, and
   * cannot be acknowledged any more. Its cost MUST NOT grow with the number of other texts.
   */
  expireTexts(expiry: { readonly before: number; readonly limit: number }): Promise<number>;
}
