import { createLru } from "@telex/ground/caches";
import { createInTurn, type FanOut } from "@telex/ground/concurrency";
import type { Logger } from "@telex/ground/log";
import type { Clock } from "@telex/ground/time";
import type { BusLink } from "@telex/ground/bus";
import type { RoomsBusEvents } from "./bus-events.ts";
import type { RoomChangeName } from "./changes.ts";
import type { RoomsLiveEvent } from "./live-events.ts";
import { createSeenRooms } from "./seen-rooms.ts";
import { type RoomsDeps, viewsOf } from "./views.ts";

interface NewsDeps {
  readonly views: RoomsDeps;
  readonly fanOut: Pick<FanOut<RoomsLiveEvent>, "publish" | "hasMore">;
  readonly bus: Pick<BusLink<RoomsBusEvents>, "publish">;
  readonly log: Logger;
  readonly clock: Pick<Clock, "now">;
  readonly limits: { readonly roomCacheEntries: number };
  /** True for a user who shows what they type: only such users see what others type. */
  readonly isShown: (userId: number) => Promise<boolean>;
  /** Resolves when the other servers have seen what is stored. */
  readonly seenEverywhere: () => Promise<void>;
}

/** Milliseconds between two events that one user types in one room, from whatever servers. Those of one server come at least 3 s apart. */
const typingInterval = 2500;

const createTypingPace = ({ now }: Pick<Clock, "now">) => {
  const typed = createLru<string, number>(10_000);
  return (groupId: number, userId: string): boolean => {
    const key = `${groupId}/${userId}`;
    const isSoon = now() - (typed.get(key) ?? Number.NEGATIVE_INFINITY) < typingInterval;
    if (!isSoon) typed.set(key, now());
    return isSoon;
  };
};

/** Tells the connections with `more` of the members of a room about events in it, on other servers over the bus. */
export function createRoomNews({ views, fanOut, bus, log, clock, limits, isShown, seenEverywhere }: NewsDeps) {
  const { rooms, listGroupsOf } = views;
  const turns = createInTurn();
  const seen = createSeenRooms({ rooms, listGroupsOf, max: limits.roomCacheEntries });
  const isTooSoon = createTypingPace(clock);
  const publish = (more: RoomsLiveEvent, userIds: readonly number[]): void => {
    const members = new Map(userIds.map((userId) => [userId, null]));
    fanOut.publish({ event: null, more, members, sender: null, origin: null });
  };
  const inTurn = async (groupId: number, tell: () => Promise<void>): Promise<void> =>
    await turns
      .run(String(groupId), tell)
      .catch((cause: unknown) => log.error("rooms.tell_failed", { groupId }, cause));
  const tellAsSeen = async (groupId: number, userId: number, changes: readonly RoomChangeName[]): Promise<void> => {
    for (const view of await viewsOf(views, userId, [groupId]))
      for (const change of changes)
        if (change !== "removed") publish({ kind: "group_changed", data: { ...view, change } }, [userId]);
  };
  const tellChanges = async (groupId: number): Promise<void> => {
    for (const { userId, groupType, changes } of await seen.changesOf(groupId)) {
      if (!changes.includes("removed")) await tellAsSeen(groupId, userId, changes);
      else publish({ kind: "group_changed", data: { groupId, groupType, change: "removed" } }, [userId]);
    }
  };
  const heard = {
    told: async ({ groupId, event, except }: RoomsBusEvents["room_told"]): Promise<void> =>
      await inTurn(groupId, async () => {
        const isMeant = (userId: number) => userId !== except && fanOut.hasMore(userId);
        const recipients = [...((await rooms.find(groupId))?.members.keys() ?? [])].filter(isMeant);
        if (event.kind !== "typing") return publish(event, recipients);
        if (isTooSoon(groupId, event.data.userId)) return;
        const shown = await Promise.all(recipients.map(isShown));
        publish(
          event,
          recipients.filter((_userId, at) => shown[at] === true),
        );
      }),
  };
  /** A room has changed, maybe by another server. Resolves when this server sends what happens in it to its present members only. */
  const changed = async (groupId: number): Promise<void> => {
    rooms.forget(groupId);
    if (seen.isIdle() && !rooms.isLoaded(groupId)) return;
    await inTurn(groupId, async () => await tellChanges(groupId));
  };
  return {
    heard,
    enter: async (userId: number) => await seen.enter(userId),
    changed,
    /** This server has changed a room. Resolves when all servers send what happens in it to its present members only. */
    changedHere: async (groupId: number): Promise<void> => {
      await changed(groupId);
      await seenEverywhere();
    },
    tell: (groupId: number, event: RoomsLiveEvent, except: number | null = null): void => {
      void heard.told({ groupId, event, except });
      bus.publish({ kind: "room_told", groupId, event, except });
    },
  };
}
