import type { Rooms } from "../groups/rooms.ts";

export type RoomsOfMessages = Pick<Rooms, "enter" | "find" | "latest">;
