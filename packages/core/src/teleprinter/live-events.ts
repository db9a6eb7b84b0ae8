import type { LiveEventsOf } from "@telex/ground/live";
import type { deviceEvents } from "./contract.ts";

/** Events for pages and devices. */
export type TeleprinterLiveEvent = LiveEventsOf<typeof deviceEvents>;

/** Events for a user's pages about a text of a device. */
export type DeviceTextEvent = Extract<TeleprinterLiveEvent, { readonly kind: "device_message" | "device_delivered" }>;
