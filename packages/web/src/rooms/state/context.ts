import type { Signal } from "@preact/signals";
import { createRequiredContext } from "../../base/required-context.ts";
import type { Rooms } from "./rooms.ts";

/** The rooms of an account, or null until their code is loaded. */
export type RoomsSignal = Signal<Rooms | null>;

const roomsSignal = createRequiredContext<RoomsSignal>("useRoomsSignal");

/** Provides {@link RoomsSignal} to the components below. */
export const RoomsSignalContext = roomsSignal.Context;

/** @throws TypeError if no account is signed in */
export const useRoomsSignal = roomsSignal.use;

const rooms = createRequiredContext<Rooms>("useRooms");

/** Provides the rooms to the components below. */
export const RoomsContext = rooms.Context;

/** @throws TypeError outside of the page of rooms */
export const useRooms = rooms.use;
