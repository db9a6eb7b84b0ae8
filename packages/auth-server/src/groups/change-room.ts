import { TelexError, type Telex } from "@telex/core";
import type { GroupStore, Room } from "@telex/core/storage";
import type { Decide, Decision } from "./rules.ts";

interface ChangeRoomDeps {
  readonly telex: Pick<Telex, "announce" | "roomChanged">;
  readonly groups: Pick<GroupStore, "findRoom" | "amendRoom">;
}

/** Others may change a room at the same time. Of those who do, one succeeds in each round. */
const mostRounds = 100;

/** The types of rooms that are stored here. */
const ownTypes: readonly number[] = [1, 2];

async function enter({ groups }: ChangeRoomDeps, groupId: number, userId: number) {
  const room = await groups.findRoom(groupId);
  const me = room?.members.get(userId);
  if (room === null || me === undefined) throw new TelexError("group_not_found");
  if (!ownTypes.includes(room.group.groupType)) throw new TelexError("not_supported");
  return { room, me };
}

async function tell(
  { telex }: ChangeRoomDeps,
  { group: { groupId } }: Room,
  userId: number,
  { notices }: Decision,
): Promise<void> {
  for (const notice of notices) await telex.announce({ ...notice, groupId, userId });
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
  for (let round = 0; round < mostRounds; round += 1) {
    const { room, me } = await enter(deps, groupId, userId);
    const decision = decide(room, me);
    if (decision === null) return;
    const { change, put, drop } = decision;
    const { outcome } = await deps.groups.amendRoom({ groupId, rev: room.group.rev, change, put, drop });
    if (outcome === "missing") throw new TelexError("group_not_found");
    if (outcome === "changed") continue;
    await deps.telex.roomChanged(groupId);
    if (outcome === "amended") await tell(deps, room, userId, decision);
    return;
  }
  throw new TelexError("busy");
}
