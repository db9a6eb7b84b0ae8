import type { MemberRecord, Room } from "../records/groups.ts";
import type { RoomsLiveEvent } from "./live-events.ts";

/** A word of `GroupChanged`. */
export type RoomChangeName = Extract<RoomsLiveEvent, { kind: "group_changed" }>["data"]["change"];

const fields = ["name", "topic", "avatar", "archived", "pins"] as const;

const hasOtherMembers = (before: Room, after: Room): boolean =>
  before.members.size !== after.members.size || after.members.keys().some((userId) => !before.members.has(userId));

const hasOtherRoles = (before: Room, after: Room): boolean =>
  after.members.values().some(({ userId, role }) => (before.members.get(userId)?.role ?? role) !== role);

/** The changes between two states of a room that concern all of its members. */
export const changesForAll = (before: Room, after: Room): readonly RoomChangeName[] => [
  ...fields.filter((field) => before.group[field] !== after.group[field]),
  ...(hasOtherMembers(before, after) ? (["members"] as const) : []),
  ...(hasOtherRoles(before, after) ? (["roles"] as const) : []),
];

/** The changes that concern one member alone. */
export const changesForOne = (before: MemberRecord, after: MemberRecord): readonly RoomChangeName[] => [
  ...(before.archived === after.archived ? [] : (["archived"] as const)),
  ...(before.notify === after.notify && before.mutedUntil === after.mutedUntil ? [] : (["notify"] as const)),
];
