import { routeOf } from "@telex/ground/contract";
import type { GroupRecord } from "../../records/groups.ts";
import type { GatewayAccount, KnownRoom } from "../../networks/gateway.ts";
import { type ListsGroups, pagesOfGroups } from "../all-groups.ts";
import { networkRoomOf } from "../accounts/routes.ts";

/** The room of the network for which a chat room stands, if this account serves it. */
function knownRoom(group: GroupRecord, { account, groupTypes }: GatewayAccount): KnownRoom | null {
  const room = networkRoomOf(group);
  const isServed = groupTypes.includes(group.groupType);
  const isOwn = routeOf(group.groupType) === "official" || group.bot === account;
  return room !== null && isServed && isOwn ? { room, since: group.createdAt } : null;
}

/** The rooms of the network for which an account has chat rooms, each once. */
export async function listKnownRooms(store: ListsGroups, account: GatewayAccount): Promise<readonly KnownRoom[]> {
  const rooms = new Map<string, KnownRoom>();
  for await (const groups of pagesOfGroups(store)) {
    for (const group of groups) {
      const room = knownRoom(group, account);
      const key = JSON.stringify([room?.room.kind, room?.room.ext]);
      if (room !== null && !rooms.has(key)) rooms.set(key, room);
    }
  }
  return [...rooms.values()];
}
