import type { Shared } from "./shared.ts";
import type { CompleteOptions } from "./options.ts";
import { createMarkerNews } from "../rooms/markers.ts";
import { createRoomNews } from "../rooms/news.ts";
import { createRoomsService } from "../rooms/service.ts";
import type { RoomsDeps } from "../rooms/views.ts";

export function createRoomsCapability(
  { storage, log }: CompleteOptions,
  shared: Shared,
  { gateways, networkMembers, view }: Pick<RoomsDeps, "gateways" | "networkMembers" | "view">,
) {
  const store = storage.messages;
  const { rooms, live, fanOut, findUser, pinyin, roomPresence, bus } = shared;
  const markers = createMarkerNews({ store, rooms, live, fanOut });
  const views: RoomsDeps = {
    store,
    rooms,
    findUser,
    pinyin,
    gateways,
    networkMembers,
    view,
    markers,
    listGroupsOf: (userId) => storage.groups.listGroupsOf(userId),
    isOnline: (userId) => roomPresence.isOnline(userId),
  };
  const news = createRoomNews({ views, fanOut, bus, log });
  return { service: createRoomsService(views), news, markerMoved: (key: string) => markers.moved(key) };
}
