import type { Shared } from "../instance/shared.ts";
import type { CompleteOptions } from "../instance/options.ts";
import { createMarkerNews } from "./markers.ts";
import { createRoomsService } from "./service.ts";
import type { RoomsDeps } from "./views.ts";

/** The rooms of users: lists, members with presence, and read markers. */
export function createRoomsCapability(
  { storage }: CompleteOptions,
  shared: Shared,
  { gateways, networkMembers, view }: Pick<RoomsDeps, "gateways" | "networkMembers" | "view">,
) {
  const store = storage.messages;
  const markers = createMarkerNews({ ...shared, store });
  const service = createRoomsService({
    ...shared,
    store,
    gateways,
    networkMembers,
    view,
    markers,
    listGroupsOf: (userId) => storage.groups.listGroupsOf(userId),
    isOnline: (userId) => shared.roomPresence.isOnline(userId),
  });
  return { service, markerMoved: (key: string) => markers.moved(key) };
}
