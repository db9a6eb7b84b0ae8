import type { GatewaySends } from "../gateways/send.ts";
import type { Shared } from "../instance/shared.ts";
import type { ViewMessage } from "../messages/view.ts";
import type { CompleteOptions } from "../options/options.ts";
import { createMarkerNews } from "./markers.ts";
import { createRoomsService } from "./service.ts";

/** The rooms of users: lists, members with presence, and read markers. */
export function createRoomsCapability(
  { storage }: CompleteOptions,
  shared: Shared,
  { gateways, view }: { readonly gateways: Pick<GatewaySends, "stateOf">; readonly view: ViewMessage },
) {
  const store = storage.messages;
  const markers = createMarkerNews({ ...shared, store });
  const service = createRoomsService({
    ...shared,
    store,
    gateways,
    view,
    markers,
    listGroupsOf: (userId) => storage.groups.listGroupsOf(userId),
    isOnline: (userId) => shared.roomPresence.isOnline(userId),
  });
  return { service, markerMoved: (key: string) => markers.moved(key) };
}
