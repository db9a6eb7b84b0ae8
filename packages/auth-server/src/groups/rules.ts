import { type Notice, TelexError } from "@telex/core";
import {
  type FindMember,
  hasOwner,
  heirsOf,
  type MemberRecord,
  newMember,
  type Room,
  type RoomChange,
} from "@telex/core/storage";

/** A notice of a change. Its room and its sender are known. */
type ChangeNotice = Omit<Notice, "groupId" | "userId">;

/** The change of a room, and the notices that say so. */
export interface Decision extends Pick<RoomChange, "change" | "put" | "drop"> {
  readonly notices: readonly ChangeNotice[];
}

/** Decides about a room as it is now. Throws if the member may not change it so; null if there is nothing to change. */
export type Decide = (room: Room, me: MemberRecord) => Decision | null | Promise<Decision | null>;

/** True for a private chat, whose two members never change. */
export const isPrivate = ({ group }: Room): boolean => group.groupType === 2;

/** True for owners and moderators. */
export const runs = ({ role }: MemberRecord): boolean => role !== "member";

function assertMay(isAllowed: boolean): void {
  if (!isAllowed) throw new TelexError("not_allowed");
}

/**
 * Checks that a member runs the room, which has not been archived.
 * @throws TelexError `not_allowed`, `archived`
 */
export function assertRunsOpen(room: Room, me: MemberRecord): void {
  assertMay(!isPrivate(room) && runs(me));
  if (room.group.archived) throw new TelexError("archived");
}

const nothing = { change: {}, put: [], drop: [] } as const;

/** A new name, a new topic, or both. */
export const amending =
  ({ name, topic }: { readonly name?: string | undefined; readonly topic?: string | undefined }): Decide =>
  (room, me) => {
    assertMay(!isPrivate(room) && runs(me));
    const { group } = room;
    const change = {
      ...(name !== undefined && name !== group.name && { name }),
      ...(topic !== undefined && topic !== group.topic && { topic }),
    };
    const notices = [
      ...("name" in change ? [{ kind: "renamed" } as const] : []),
      ...("topic" in change ? [{ kind: "topic_changed" } as const] : []),
    ];
    return notices.length === 0 ? null : { ...nothing, change, notices };
  };

/** Members to add and to remove, and new roles. */
interface MemberChange {
  readonly add: readonly number[];
  readonly remove: readonly number[];
  readonly roles: readonly { readonly userId: number; readonly role: MemberRecord["role"] }[];
}

/** The members who get another role. A role of a user who is being added, or is not a member, is refused. */
function withRoles(room: Room, { roles }: MemberChange): MemberRecord[] {
  const wanted = new Map(roles.map(({ userId, role }) => [userId, role]));
  return [...wanted].flatMap(([userId, role]) => {
    const member = room.members.get(userId);
    if (member === undefined) throw new TelexError("user_not_found");
    return member.role === role ? [] : [{ ...member, role }];
  });
}

/** @throws TelexError `last_owner` if the room had an owner who can run it and would have none */
async function assertOwned(
  { members }: Room,
  { put, drop }: Pick<Decision, "put" | "drop">,
  findUser: FindMember,
): Promise<void> {
  const after = new Map(members);
  for (const member of put) after.set(member.userId, member);
  for (const userId of drop) after.delete(userId);
  if ((await hasOwner(members.values(), findUser)) && !(await hasOwner(after.values(), findUser)))
    throw new TelexError("last_owner");
}

const noticeOf = (kind: Notice["kind"], userIds: readonly number[]): readonly ChangeNotice[] =>
  userIds.length === 0 ? [] : [{ kind, userIds }];

/** @param now Unix milliseconds: when those who are added join */
export const changingMembers =
  (change: MemberChange, now: number, findUser: FindMember): Decide =>
  async (room, me) => {
    assertMay(!isPrivate(room) && runs(me));
    const drop = [...new Set(change.remove)].filter((userId) => room.members.has(userId));
    const removesEqual = drop.some((userId) => room.members.get(userId)?.role !== "member");
    assertMay(me.role === "owner" || (change.roles.length === 0 && !removesEqual));
    const added = [...new Set(change.add)].filter(
      (userId) => !room.members.has(userId) && !change.remove.includes(userId),
    );
    const changed = withRoles(room, change).filter(({ userId }) => !drop.includes(userId));
    const put = [...added.map((userId) => newMember(userId, now)), ...changed];
    await assertOwned(room, { put, drop }, findUser);
    const notices = [
      ...noticeOf("members_added", added),
      ...noticeOf("members_removed", drop),
      ...noticeOf(
        "roles_changed",
        changed.map(({ userId }) => userId),
      ),
    ];
    return notices.length === 0 ? null : { change: {}, put, drop, notices };
  };

/** The caller leaves. If they are the only owner, an heir becomes the owner. */
export const leaving =
  (findUser: FindMember): Decide =>
  async (room, me) => {
    assertMay(!isPrivate(room));
    const put = await heirsOf(room, me.userId, findUser);
    const heirs = put.map(({ userId }) => userId);
    const notices = [{ kind: "left" } as const, ...noticeOf("roles_changed", heirs)];
    return { change: {}, put, drop: [me.userId], notices };
  };

/**
 * Gives a room whose owners cannot run it to an heir. Call it after a change of members: an owner who stays may have been suspended after
 * that was decided.
 */
export const settlingOwners =
  (findUser: FindMember) =>
  async (room: Room): Promise<Decision | null> => {
    const owner = [...room.members.values()].find(({ role }) => role === "owner");
    if (owner === undefined || (await hasOwner(room.members.values(), findUser))) return null;
    const put = await heirsOf(room, owner.userId, findUser);
    const heirs = put.map(({ userId }) => userId);
    return put.length === 0 ? null : { ...nothing, put, notices: noticeOf("roles_changed", heirs) };
  };

/** A room is archived by an owner, for all; a private chat by each of the two, for themselves. */
export const archiving =
  (archived: boolean): Decide =>
  (room, me) => {
    if (isPrivate(room))
      return me.archived === archived ? null : { ...nothing, put: [{ ...me, archived }], notices: [] };
    assertMay(me.role === "owner");
    if (room.group.archived === archived) return null;
    return { ...nothing, change: { archived }, notices: [{ kind: archived ? "archived" : "unarchived" }] };
  };

/** An owner removes the room with all of its members. */
export const removing: Decide = (room, me) => {
  assertMay(!isPrivate(room) && me.role === "owner");
  return { ...nothing, drop: [...room.members.keys()], notices: [] };
};
