import { routeOf } from "@telex/ground/contract";
import type { GroupStore } from "../../groups/store.ts";
import type { GroupRecord } from "../../records/groups.ts";
import type { GatewayAccount, KnownRoom } from "../../networks/gateway.ts";
import { networkRoomOf } from "../accounts/routes.ts";

const pageSize = 1000;

/** The room of the network for which a chat room stands, if this account serves it. */
function knownRoom(group: GroupRecord, { account, groupTypes }: GatewayAccount): KnownRoom | null {
  const room = networkRoomOf(group);
  const isServed = groupTypes.includes(group.groupType);
  const isOwn = routeOf(group.groupType) === "official" || group.bot === account;
  return room !== null && isServed && isOwn ? { room, since: group.createdAt } : null;
}

/** The rooms of the network for which an account has chat rooms, each once. */
export async function listKnownRooms(
  store: Pick<GroupStore, "listGroups">,
  account: GatewayAccount,
): Promise<readonly KnownRoom[]> {
  const found = new Map<string, KnownRoom>();
  let after = 0;
  for (;;) {
    const groups = await store.listGroups({ after, limit: pageSize });
    for (const group of groups) {
      const known = knownRoom(group, account);
      const key = JSON.stringify([known?.room.kind, known?.room.ext]);
      if (known !== null && !found.has(key)) found.set(key, known);
    }
    const last = groups.at(-1);
    if (last === undefined || groups.length < pageSize) return [...found.values()];
    after = last.groupId;
  }
}
