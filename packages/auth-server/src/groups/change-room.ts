import { type RoomNews, type Telex, TelexError } from "@telex/core";
import { changeFoundRoom, type GroupStore, type MemberRecord, type Room } from "@telex/core/storage";
import { newsOf } from "./news.ts";
import type { Decide, Decision } from "./rules.ts";

interface ChangeRoomDeps {
  readonly telex: Pick<Telex, "announce" | "roomChanged">;
  readonly groups: Pick<GroupStore, "findRoom" | "amendRoom">;
}

/** The types of rooms that are stored here. */
const ownTypes: readonly number[] = [1, 2];

function enter(room: Room, userId: number): MemberRecord {
  const me = room.members.get(userId);
  if (me === undefined) throw new TelexError("group_not_found");
  if (!ownTypes.includes(room.group.groupType)) throw new TelexError("not_supported");
  return me;
}

/**
 * Changes a room as one of its members. The rules see the room as it is when it is changed. If the server ends before the notices are
 * stored, the change has none.
 * @throws TelexError `group_not_found`, `not_supported`, `busy`, and what `decide` throws
 */
export async function changeRoom(
  deps: ChangeRoomDeps,
  { groupId, userId }: { readonly groupId: number; readonly userId: number },
  decide: Decide,
): Promise<void> {
  let notices: Decision["notices"] = [];
  let news: RoomNews | undefined;
  const outcome = await changeFoundRoom(deps.groups, groupId, async (room) => {
    const decision = await decide(room, enter(room, userId));
    notices = decision?.notices ?? [];
    news = decision === null ? undefined : newsOf(room, decision);
    return decision;
  });
  if (outcome === "missing") throw new TelexError("group_not_found");
  if (outcome === "same") return;
  await deps.telex.roomChanged(groupId, news);
  if (outcome === "amended") for (const notice of notices) await deps.telex.announce({ ...notice, groupId, userId });
}
