import { topics, type TopicsOf } from "@telex/ground/bus";
import type { DeviceRecord } from "../records/teleprinter.ts";
import type { DeviceTextEvent } from "./live-events.ts";

/** Events between servers about devices. */
export interface TeleprinterBusEvents {
  /** An event for the pages of this user. */
  device_text: { readonly owner: number; readonly event: DeviceTextEvent };
  /** A device came, went, or was changed. */
  device_presence: { readonly device: DeviceRecord };
  /** Something may wait for this device: polls and connections of the device ask the store. With `ends`, its polls end instead. */
  device_wake: { readonly deviceId: string; readonly ends?: true };
}

export const teleprinterBusTopics: TopicsOf<TeleprinterBusEvents> = {
  device_text: ({ owner }) => topics.user(owner),
  device_presence: ({ device }) => topics.user(device.owner),
  device_wake: ({ deviceId }) => topics.device(deviceId),
};
