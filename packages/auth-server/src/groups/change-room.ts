import { type Telex, TelexError } from "@telex/core";
import { changeFoundRoom, type GroupStore, type MemberRecord, type Room } from "@telex/core/storage";
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

interface ChangeKey {
  readonly groupId: number;
  /** The user who changes the room. */
  readonly userId: number;
}

/**
 * Changes a room as `decide` decides, given the room at the time of the change. If the server ends before the notices are stored, the change
 * has none.
 * @throws TelexError `group_not_found`, `busy`, and what `decide` throws
 */
export async function changeRoomAs(
  deps: ChangeRoomDeps,
  { groupId, userId }: ChangeKey,
  decide: (room: Room) => Decision | null | Promise<Decision | null>,
): Promise<void> {
  let notices: Decision["notices"] = [];
  const outcome = await changeFoundRoom(deps.groups, groupId, async (room) => {
    const decision = await decide(room);
    notices = decision?.notices ?? [];
    return decision;
  });
  if (outcome === "missing") throw new TelexError("group_not_found");
  if (outcome === "same") return;
  await deps.telex.roomChanged(groupId);
  if (outcome === "amended") for (const notice of notices) await deps.telex.announce({ ...notice, groupId, userId });
}

/**
 * The room, for a member who looks after something in it.
 * @throws TelexError `group_not_found`, `not_supported`
 */
export async function enterRoom(
  groups: Pick<GroupStore, "findRoom">,
  { groupId, userId }: ChangeKey,
): Promise<{ readonly room: Room; readonly me: MemberRecord }> {
  const room = await groups.findRoom(groupId);
  if (room === null) throw new TelexError("group_not_found");
  return { room, me: enter(room, userId) };
}

/**
 * Changes a room as one of its members.
 * @throws TelexError `group_not_found`, `not_supported`, `busy`, and what `decide` throws
 */
export const changeRoom = async (deps: ChangeRoomDeps, key: ChangeKey, decide: Decide): Promise<void> =>
  await changeRoomAs(deps, key, (room) => decide(room, enter(room, key.userId)));
