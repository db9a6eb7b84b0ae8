import type { MemberRecord } from "../records/groups.ts";
import { changeFoundRoom } from "./change-room.ts";
import { heirsOf, type FindMember } from "./heir.ts";
import type { GroupStore } from "./store.ts";

/** A notice of a room that an owner has left to another. */
interface PassedOn {
  readonly kind: "left" | "roles_changed";
  readonly groupId: number;
  readonly userId: number;
  readonly userIds?: readonly number[];
}

interface PassOnDeps {
  readonly groups: Pick<GroupStore, "listGroupsOf" | "findRoom" | "amendRoom">;
  readonly findUser: FindMember;
  /** Makes a change of the members visible in this process. */
  readonly changed: (groupId: number) => Promise<void>;
  /** Posts a notice as a message of its user. Resolves when it is durable. */
  readonly announce: (notice: PassedOn) => Promise<void>;
}

async function passRoomOn(deps: PassOnDeps, groupId: number, userId: number, leaves: boolean): Promise<void> {
  const { groups, findUser, changed, announce } = deps;
  let put: readonly MemberRecord[] = [];
  const outcome = await changeFoundRoom(groups, groupId, async (room) => {
    if (room.members.get(userId)?.role !== "owner") return null;
    put = await heirsOf(room, userId, findUser);
    return leaves || put.length > 0 ? { change: {}, put, drop: leaves ? [userId] : [] } : null;
  });
  if (outcome === "same" || outcome === "missing") return;
  await changed(groupId);
  if (outcome !== "amended" || (await findUser(userId)) === null) return;
  if (leaves) await announce({ kind: "left", groupId, userId });
  const userIds = put.map((heir) => heir.userId);
  if (userIds.length > 0) await announce({ kind: "roles_changed", groupId, userId, userIds });
}

/**
 * Gives each room that a user alone owns to an heir, with a notice. It can be repeated.
 * @param leaves true if the user leaves the rooms that they own
 */
export const createPassOn =
  (deps: PassOnDeps) =>
  async (userId: number, leaves: boolean): Promise<void> => {
    for (const groupId of await deps.groups.listGroupsOf(userId)) await passRoomOn(deps, groupId, userId, leaves);
  };
