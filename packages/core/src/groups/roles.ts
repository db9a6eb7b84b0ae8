import { TelexError } from "@telex/ground/errors";
import { type MemberRecord, newMember, type Room } from "../records/groups.ts";
import type { RoomChange } from "./store.ts";

/** Members who join, leave, or get a role. */
export interface MembersInput {
  readonly add: readonly number[];
  readonly remove: readonly number[];
  readonly roles: readonly { readonly userId: number; readonly role: MemberRecord["role"] }[];
}

/** @throws TelexError `not_supported` for a room that has no owner: a private chat, or a room of an external network */
export function assertHasRoles(groupType: number): void {
  if (groupType !== 1) throw new TelexError("not_supported");
}

/** The members after the change. Those who do not change are the same objects. */
function membersAfter({ members }: Room, { add, remove, roles }: MembersInput, at: number): Map<number, MemberRecord> {
  const after = new Map(members);
  for (const userId of remove) after.delete(userId);
  for (const userId of add) if (!after.has(userId)) after.set(userId, newMember(userId, at));
  for (const { userId, role } of roles) {
    const member = after.get(userId);
    if (member === undefined) throw new TelexError("not_member");
    if (member.role !== role) after.set(userId, { ...member, role });
  }
  return after;
}

/**
 * The change of a room in one step, as the operator requests it; null if the members need no change.
 * @param at Unix milliseconds: when those who are added join
 * @throws TelexError `not_supported`; `not_member` for the role of a user who is no member afterwards
 */
export function membersChange(
  room: Room,
  input: MembersInput,
  at: number,
): Pick<RoomChange, "change" | "put" | "drop"> | null {
  const { members, group } = room;
  assertHasRoles(group.groupType);
  const after = membersAfter(room, input, at);
  const put = [...after.values()].filter((member) => members.get(member.userId) !== member);
  const drop = [...members.keys()].filter((userId) => !after.has(userId));
  return put.length + drop.length === 0 ? null : { change: {}, put, drop };
}
