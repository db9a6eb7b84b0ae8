import type { Telex } from "@telex/core";
import { actingFor } from "@telex/core/transport";
import { ownRooms } from "./own-rooms.ts";
import type { BookedRoom, RoomBook } from "./room-book.ts";
import type { Teller } from "../teller.ts";

/** Sends frameworks an event for each member who joins or leaves a group of their accounts. */
interface Memberships {
  /** Sends these events to a framework, until the returned function is called. */
  readonly begin: (teller: Teller) => () => void;
  /** Called when a room has changed. Never rejects. */
  changed(groupId: number): Promise<void>;
}

/** The rooms of an account that receives events. */
interface OwnRooms {
  readonly rooms: Map<number, Pick<BookedRoom, "isPrivate">>;
  /** False until all were read: a room that was not read yet may be old. */
  isComplete: boolean;
}

const idsOf = (room: BookedRoom | null | undefined): ReadonlySet<number> => new Set(room?.members.keys());

const keep = (own: OwnRooms | undefined, { groupId, isPrivate }: BookedRoom) => own?.rooms.set(groupId, { isPrivate });

/** Begins without connections that receive events. */
export function createMemberships(telex: Telex, rooms: RoomBook): Memberships {
  const tellers = new Set<Teller>();
  const memberships = new Map<number, OwnRooms>();
  const learn = async (userId: number): Promise<void> => {
    const own = memberships.get(userId);
    for await (const room of ownRooms(telex, rooms, actingFor(userId))) keep(own, room);
    if (own !== undefined) own.isComplete = true;
  };
  const tell = (room: BookedRoom, userId: number, kind: "joined" | "left"): void => {
    for (const teller of tellers) {
      const isConcerned = room.members.has(teller.userId) || (kind === "left" && userId === teller.userId);
      if (isConcerned) teller.happened({ kind, groupId: room.groupId, userId });
    }
  };
  /** Accounts that receive events and have joined or left a room whose members were not remembered. */
  const tellOwn = (groupId: number, after: BookedRoom | null): void => {
    for (const [userId, { rooms: own, isComplete }] of memberships) {
      const isMember = after?.members.has(userId) === true;
      const isPrivate = (after ?? own.get(groupId))?.isPrivate === true;
      if (isPrivate || isMember === own.has(groupId) || (isMember && !isComplete)) continue;
      const kind = isMember ? "joined" : "left";
      for (const teller of tellers) if (teller.userId === userId) teller.happened({ kind, groupId, userId });
    }
  };
  const remember = (groupId: number, after: BookedRoom | null): void => {
    for (const [userId, own] of memberships) {
      if (after?.members.has(userId) === true) keep(own, after);
      else own.rooms.delete(groupId);
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
        memberships.set(userId, { rooms: new Map(), isComplete: false });
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
