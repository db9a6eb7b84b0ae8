import { createLru } from "@telex/ground/caches";
import type { Rooms } from "../groups/rooms.ts";
import type { GroupRecord } from "../records/groups.ts";
import type { LiveConnections } from "@telex/ground/live";
import type { RoomsLiveEvent } from "./live-events.ts";
import type { FanOut } from "@telex/ground/concurrency";
import type { MessageStore, RoomReading } from "../messages/store.ts";
import { mostUnread } from "./contract.ts";

interface MarkerDeps {
  readonly store: Pick<MessageStore, "findReadings">;
  readonly rooms: Pick<Rooms, "find">;
  readonly live: Pick<LiveConnections<never>, "of">;
  readonly fanOut: Pick<FanOut<RoomsLiveEvent>, "publish">;
}

/** The reading position of a user in a room, as clients see it. */
export const readingView = ({ readUpTo, unread }: Pick<RoomReading, "readUpTo" | "unread">) => ({
  readUpTo: String(readUpTo),
  unread: Math.min(unread, mostUnread),
});

/** Remembers the last marker that was sent, so that a marker that another server has moved is sent here once. */
const remembered = 10_000;

/** Sends the reading position of a user in a room to the user's connections that were opened with `echo`. */
export function createMarkerNews({ store, rooms, live, fanOut }: MarkerDeps) {
  const published = createLru<string, number>(remembered);
  const tell = ({ groupId, groupType }: GroupRecord, userId: number, reading: RoomReadingState): void => {
    published.set(`${groupId}/${userId}`, reading.readUpTo);
    fanOut.publish({
      event: { kind: "read_marker", data: { groupId, groupType, ...readingView(reading) } },
      members: new Map([[userId, null]]),
      sender: userId,
      origin: null,
    });
  };
  return {
    tell,
    /** A marker was moved, on this server or another one: `<groupId>/<userId>/<readUpTo>`. */
    async moved(key: string): Promise<void> {
      const [groupId = 0, userId = 0, readUpTo = 0] = key.split("/").map(Number);
      if ((published.get(`${groupId}/${userId}`) ?? 0) >= readUpTo || live.of(userId).size === 0) return;
      const [room, readings] = [await rooms.find(groupId), await store.findReadings(userId, [groupId])];
      const reading = readings.get(groupId);
      if (room?.members.has(userId) === true && reading !== undefined) tell(room.group, userId, reading);
    },
  };
}

type RoomReadingState = Pick<RoomReading, "readUpTo" | "unread">;
