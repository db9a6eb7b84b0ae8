import type { GroupType } from "@telex/ground/contract";
import type { LiveEventsOf } from "../live/events.ts";
import { groupChanged, readMarker, typing } from "./contract.ts";

/** The events of rooms, with the schema of their data. */
export const roomEvents = { read_marker: readMarker, group_changed: groupChanged, typing } as const;

/** Events for a user's connections about the user's rooms. */
export type RoomsLiveEvent = LiveEventsOf<typeof roomEvents>;

/**
 * Changes of a room, for connections with `more`. `to`: only these users; default: all members. `removed` goes to those who are no members,
 * everything else to members.
 */
export type RoomNews = readonly {
  readonly change: Extract<RoomsLiveEvent, { kind: "group_changed" }>["data"]["change"];
  readonly groupType: GroupType;
  readonly to?: readonly number[] | undefined;
}[];
