import type { MemberRecord, Room } from "../records/groups.ts";
import type { UserRecord } from "../records/users.ts";

/** Reads a user from the storage; null if the user does not exist. */
export type FindMember = (userId: number) => Promise<Pick<UserRecord, "suspended" | "ai"> | null>;

/** True for a person who can run a room now: neither a model nor suspended. */
async function canRun(findUser: FindMember, userId: number): Promise<boolean> {
  const user = await findUser(userId);
  return user !== null && !user.suspended && user.ai === null;
}

const ranks = { owner: 0, moderator: 1, member: 2 } as const;

const byRank = (a: MemberRecord, b: MemberRecord): number =>
  ranks[a.role] - ranks[b.role] || a.joinedAt - b.joinedAt || a.userId - b.userId;

/**
 * The member who becomes owner when an owner leaves: of those who can run a room, the oldest moderator, otherwise the oldest member. Empty if the
 * user is no owner, another owner stays, or none of the others can run it.
 */
export async function heirsOf(
  { members }: Room,
  userId: number,
  findUser: FindMember,
): Promise<readonly MemberRecord[]> {
  if (members.get(userId)?.role !== "owner") return [];
  const others = [...members.values()].filter((member) => member.userId !== userId);
  for (const member of others.toSorted(byRank)) {
    if (!(await canRun(findUser, member.userId))) continue;
    return member.role === "owner" ? [] : [{ ...member, role: "owner" }];
  }
  return [];
}

/** True if one of these members is an owner who can run the room. */
export async function hasOwner(members: Iterable<MemberRecord>, findUser: FindMember): Promise<boolean> {
  for (const { userId, role } of members) if (role === "owner" && (await canRun(findUser, userId))) return true;
  return false;
}
