import type { Telex } from "@telex/core";
import { actingFor } from "@telex/core/transport";
import { ownRooms } from "./own-rooms.ts";
import type { BookedRoom, RoomBook } from "./room-book.ts";
import type { Teller } from "../teller.ts";

/** Sends frameworks an event for each member who joins or leaves a group of their accounts. */
interface Memberships {
  /** Sends these events to a framework. The returned function ends that. */
  readonly begin: (teller: Teller) => () => void;
  /** A room has changed. Never rejects. */
  changed(groupId: number): Promise<void>;
}

/** The rooms of an account that receives events. */
interface OwnRooms {
  readonly groupIds: Set<number>;
  /** False until all were looked at: what was not seen yet may be old. */
  isComplete: boolean;
}

const idsOf = (room: BookedRoom | null | undefined): ReadonlySet<number> => new Set(room?.members.keys());

/** Begins without connections that receive events. */
export function createMemberships(telex: Telex, rooms: RoomBook): Memberships {
  const tellers = new Set<Teller>();
  const memberships = new Map<number, OwnRooms>();
  const learn = async (userId: number): Promise<void> => {
    const own = memberships.get(userId);
    for await (const { groupId } of ownRooms(telex, rooms, actingFor(userId))) own?.groupIds.add(groupId);
    if (own !== undefined) own.isComplete = true;
  };
  const tell = (room: BookedRoom, userId: number, kind: "joined" | "left"): void => {
    for (const teller of tellers) {
      const isConcerned = room.members.has(teller.userId) || (kind === "left" && userId === teller.userId);
      if (isConcerned) teller.happened({ kind, room, userId });
    }
  };
  /** Accounts that receive events and have joined or left a room whose members were not remembered. */
  const tellOwn = (groupId: number, after: BookedRoom | null): void => {
    if (after === null || after.isPrivate) return;
    for (const [userId, { groupIds, isComplete }] of memberships) {
      if (!isComplete || !after.members.has(userId) || groupIds.has(groupId)) continue;
      for (const teller of tellers)
        if (teller.userId === userId) teller.happened({ kind: "joined", room: after, userId });
    }
  };
  const remember = (groupId: number, after: BookedRoom | null): void => {
    for (const [userId, { groupIds }] of memberships) {
      if (after?.members.has(userId) === true) groupIds.add(groupId);
      else groupIds.delete(groupId);
    }
  };
  const change = async (groupId: number): Promise<void> => {
    const { before, after } = await rooms.changed(groupId);
    const shown = after ?? before ?? null;
    if (before === undefined) tellOwn(groupId, after);
    else if (shown !== null && !shown.isPrivate) {
      for (const id of idsOf(after).difference(idsOf(before))) tell(shown, id, "joined");
      // When a room is removed, those who were in it receive the event.
      for (const id of idsOf(before).difference(idsOf(after))) tell(shown, id, "left");
    }
    remember(groupId, after);
  };
  return {
    begin(teller) {
      tellers.add(teller);
      const { userId } = teller;
      if (!memberships.has(userId)) {
        memberships.set(userId, { groupIds: new Set(), isComplete: false });
        learn(userId).catch((cause: unknown) => telex.log.error("onebot.rooms_failed", { userId }, cause));
      }
      return () => {
        tellers.delete(teller);
        if (![...tellers].some((other) => other.userId === userId)) memberships.delete(userId);
      };
    },
    async changed(groupId) {
      if (tellers.size === 0) return rooms.forget(groupId);
      await change(groupId).catch((cause: unknown) => telex.log.error("onebot.room_failed", { groupId }, cause));
    },
  };
}
