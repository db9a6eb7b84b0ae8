import type { LiveEventsOf } from "../live/events.ts";
import type { deviceEvents } from "./contract.ts";

/** What pages and devices are told. */
export type TeleprinterLiveEvent = LiveEventsOf<typeof deviceEvents>;

/** What the pages of a user are told about a text of a device. */
export type DeviceTextEvent = Extract<TeleprinterLiveEvent, { readonly kind: "device_message" | "device_delivered" }>;
