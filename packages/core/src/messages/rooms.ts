import type { Rooms } from "../groups/rooms.ts";

/** Chat rooms by id, for their members. */
export type RoomsOfMessages = Pick<Rooms, "enter" | "find">;
