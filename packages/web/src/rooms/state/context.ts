import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Rooms } from "./rooms.ts";

/** Gives the rooms to the components below. */
export const RoomsContext = createContext<Rooms | null>(null);

/** @throws TypeError outside of the page of rooms */
export function useRooms(): Rooms {
  const rooms = useContext(RoomsContext);
  if (rooms === null) throw new TypeError("useRooms is called outside of the page of rooms");
  return rooms;
}
