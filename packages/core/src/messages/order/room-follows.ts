import { type BusLink, type Following, topics } from "@telex/ground/bus";
import type { RoomsOfMessages } from "../rooms.ts";
import type { Order } from "./order.ts";

interface RoomFollowsDeps {
  readonly bus: Pick<BusLink<never>, "follow" | "hasPeers">;
  readonly rooms: Pick<RoomsOfMessages, "find">;
  readonly order: Pick<Order, "track">;
  readonly listGroupsOf: (userId: number) => Promise<readonly number[]>;
}

/** The rooms whose messages this server receives: those of the users who listen here. */
export interface RoomFollows {
  /**
   * A connection of this user begins to listen. Resolves when messages of the user's rooms arrive, with a function that says
   * that the connection has ended. That function must be called once.
   */
  enter(userId: number): Promise<() => void>;
  /** Call it when the members of a room have changed: listeners here may have a new room. */
  membersChanged(groupId: number): Promise<void>;
}

/** A user with connections that listen here. */
interface Listening {
  connections: number;
  readonly rooms: Map<number, Following>;
}

export function createRoomFollows({ bus, rooms, order, listGroupsOf }: RoomFollowsDeps): RoomFollows {
  const listening = new Map<number, Listening>();

  const follow = async (user: Listening, groupIds: readonly number[]): Promise<void> => {
    const followed = groupIds.map((groupId) => {
      const following = user.rooms.get(groupId) ?? bus.follow(topics.room(groupId));
      user.rooms.set(groupId, following);
      return following.ready;
    });
    await Promise.all(followed);
    await order.track(groupIds);
  };
  const leave = (userId: number, user: Listening): void => {
    user.connections -= 1;
    if (user.connections > 0) return;
    listening.delete(userId);
    for (const following of user.rooms.values()) following.end();
  };

  return {
    async enter(userId) {
      const user = listening.get(userId) ?? { connections: 0, rooms: new Map<number, Following>() };
      listening.set(userId, user);
      user.connections += 1;
      try {
        await follow(user, await listGroupsOf(userId));
      } catch (cause) {
        leave(userId, user);
        throw cause;
      }
      return () => leave(userId, user);
    },
    async membersChanged(groupId) {
      if (!bus.hasPeers || listening.size === 0) return;
      const members = (await rooms.find(groupId))?.members;
      const fresh = [...listening].filter(
        ([userId, user]) => members?.has(userId) === true && !user.rooms.has(groupId),
      );
      await Promise.all(fresh.map(([, user]) => follow(user, [groupId])));
    },
  };
}
