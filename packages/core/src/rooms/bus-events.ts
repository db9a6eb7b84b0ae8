import { topics, type TopicsOf } from "@telex/ground/bus";
import type { RoomsLiveEvent } from "./live-events.ts";

/** Events between servers about connected users, and about rooms. */
export interface RoomsBusEvents {
  /**
   * A user now has a connection to the chat rooms of this server, or no longer has one. `version` counts the changes of a server
   * from 1, so that a receiver sees whether it has missed one.
   */
  room_presence: {
    readonly server: string;
    readonly version: number;
    readonly userId: number;
    readonly online: boolean;
  };
  /**
   * The users who are connected to the chat rooms of this server after the change `version`; null as a sign of life only. `left`: the server
   * has ended.
   */
  room_presence_state: {
    readonly server: string;
    readonly version: number;
    readonly userIds: readonly number[] | null;
    readonly left?: boolean;
  };
  /** Asks a server who is connected to its chat rooms. */
  room_presence_ask: { readonly server: string };
  /** An event for the connections with `more` of the members of a room, apart from the user `except`. */
  room_told: { readonly groupId: number; readonly event: RoomsLiveEvent; readonly except: number | null };
}

export const roomsBusTopics: TopicsOf<RoomsBusEvents> = {
  room_presence: () => null,
  room_presence_state: () => null,
  room_presence_ask: () => null,
  room_told: ({ groupId }) => topics.room(groupId),
};
