import { createInTurn } from "@telex/ground/concurrency";
import type { Logger } from "@telex/ground/log";
import type { BusLink } from "../bus/link.ts";
import type { FanOut } from "../live/fan-out.ts";
import type { RoomsBusEvents } from "./bus-events.ts";
import type { RoomNews, RoomsLiveEvent } from "./live-events.ts";
import { type RoomsDeps, viewsOf } from "./views.ts";

interface NewsDeps {
  readonly views: RoomsDeps;
  readonly fanOut: Pick<FanOut<RoomsLiveEvent>, "publish" | "hasMore">;
  readonly bus: Pick<BusLink<RoomsBusEvents>, "publish">;
  readonly log: Logger;
  /** True for a user who shows what they type: only such users see what others type. */
  readonly isShown: (userId: number) => Promise<boolean>;
}

/** Tells the connections with `more` of the members of a room what happens in it, those of other servers over the bus. */
export function createRoomNews({ views, fanOut, bus, log, isShown }: NewsDeps) {
  const { rooms } = views;
  const turns = createInTurn();
  const publish = (more: RoomsLiveEvent, userIds: readonly number[]): void => {
    const members = new Map(userIds.map((userId) => [userId, null]));
    fanOut.publish({ event: null, more, members, sender: null, origin: null });
  };
  const inTurn = (groupId: number, tell: (members: ReadonlyMap<number, unknown>) => Promise<void> | void): void => {
    const told = turns.run(String(groupId), async () => await tell((await rooms.find(groupId))?.members ?? new Map()));
    told.catch((cause: unknown) => log.error("rooms.tell_failed", { groupId }, cause));
  };
  const tellChange = async (
    groupId: number,
    { change, groupType, to }: RoomNews[number],
    members: ReadonlyMap<number, unknown>,
  ) => {
    const isMeant = (userId: number) => fanOut.hasMore(userId) && members.has(userId) === (change !== "removed");
    for (const userId of [...(to ?? members.keys())].filter(isMeant)) {
      const seen =
        change === "removed"
          ? [{ groupId, groupType, change }]
          : (await viewsOf(views, userId, [groupId])).map((view) => ({ ...view, change }));
      for (const data of seen) publish({ kind: "group_changed", data }, [userId]);
    }
  };
  const heard = {
    changed: async ({ groupId, news }: RoomsBusEvents["room_changed"]): Promise<void> => {
      rooms.forget(groupId);
      for (const one of news) inTurn(groupId, async (members) => await tellChange(groupId, one, members));
      await rooms.find(groupId);
    },
    told: ({ groupId, event, except }: RoomsBusEvents["room_told"]): void =>
      inTurn(groupId, async (members) => {
        const isMeant = (userId: number) => userId !== except && fanOut.hasMore(userId);
        const meant = [...members.keys()].filter(isMeant);
        if (event.kind !== "typing") return publish(event, meant);
        const shown = await Promise.all(meant.map(isShown));
        publish(
          event,
          meant.filter((_userId, at) => shown[at] === true),
        );
      }),
  };
  return {
    heard,
    /** The room has changed: when it resolves, this server sends messages of the room to its present members only. */
    changed: async (groupId: number, news: RoomNews = []): Promise<void> => {
      await heard.changed({ groupId, news });
      if (news.length > 0) bus.publish({ kind: "room_changed", groupId, news });
    },
    tell: (groupId: number, event: RoomsLiveEvent, except: number | null = null): void => {
      heard.told({ groupId, event, except });
      bus.publish({ kind: "room_told", groupId, event, except });
    },
  };
}
