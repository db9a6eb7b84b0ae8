import type { LiveEventsOf } from "@telex/ground/live";
import { groupChanged, readMarker, typing } from "./contract.ts";

/** The events of rooms, with the schema of their data. */
export const roomEvents = { read_marker: readMarker, group_changed: groupChanged, typing } as const;

/** Events for a user's connections about the user's rooms. */
export type RoomsLiveEvent = LiveEventsOf<typeof roomEvents>;
