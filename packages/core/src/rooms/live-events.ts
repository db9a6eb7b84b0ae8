import type { LiveEventsOf } from "../live/events.ts";
import { readMarker } from "./contract.ts";

/** The events of rooms, with the schema of their data. */
export const roomEvents = { read_marker: readMarker } as const;

/** Events for a user's connections about the user's rooms. */
export type RoomsLiveEvent = LiveEventsOf<typeof roomEvents>;
