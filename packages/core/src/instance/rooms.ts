import type { Shared } from "./shared.ts";
import type { CompleteOptions } from "./options/options.ts";
import { createMarkerNews } from "../rooms/markers.ts";
import { createRoomNews } from "../rooms/news.ts";
import { createShown, createTyping } from "../rooms/typing.ts";
import { createRoomsService } from "../rooms/service.ts";
import type { RoomsDeps } from "../rooms/views.ts";

export function createRoomsCapability(
  { storage, log, clock, limits }: CompleteOptions,
  shared: Shared,
  { gateways, networkMembers, show }: Pick<RoomsDeps, "gateways" | "networkMembers" | "show">,
) {
  const store = storage.messages;
  const { rooms, live, fanOut, findUser, pinyin, roomPresence, bus, catchUp } = shared;
  const markers = createMarkerNews({ store, rooms, live, fanOut });
  const views: RoomsDeps = {
    store,
    rooms,
    findUser,
    pinyin,
    gateways,
    networkMembers,
    show,
    markers,
    listGroupsOf: (userId) => storage.groups.listGroupsOf(userId),
    listArchivedOf: (userId) => storage.groups.listArchivedOf(userId),
    isOnline: (userId) => roomPresence.isOnline(userId),
  };
  const { accounts } = storage;
  const news = createRoomNews({
    views,
    fanOut,
    bus,
    log,
    clock,
    limits,
    isShown: createShown({ accounts, clock }),
    seenEverywhere: catchUp.everywhere,
  });
  const typing = createTyping({ rooms, accounts, findUser, clock, tell: news.tell });
  return { service: createRoomsService(views), news, typing, markerMoved: (key: string) => markers.moved(key) };
}
