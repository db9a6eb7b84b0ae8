import { TelexError, type TokenHolder } from "@telex/core";
import { type MemberRecord, newMember } from "@telex/core/storage";
import { isSuspended } from "../sessions/suspended.ts";
import type { AuthDeps } from "../options.ts";

/** A room that a person makes. */
interface NewRoom {
  readonly name: string;
  readonly topic: string;
  readonly members: readonly number[];
  readonly nonce?: string | undefined;
}

type RoomMaker = Pick<TokenHolder, "userId" | "scopes">;

/** A user who can be talked to: with an account, or a model. */
async function canBeAdded({ storage }: AuthDeps, userId: number, allowsModels: boolean): Promise<boolean> {
  const user = await storage.users.findUser(userId);
  if (user === null || isSuspended(user)) return false;
  if (user.ai !== null) return allowsModels;
  const account = await storage.accounts.findAccount({ userId });
  return account !== null && account.removedAt === null;
}

/** @throws TelexError `user_not_found` unless each of them can be added to a room */
export async function assertCanBeAdded(deps: AuthDeps, userIds: readonly number[], allowsModels = true): Promise<void> {
  for (const userId of new Set(userIds))
    if (!(await canBeAdded(deps, userId, allowsModels))) throw new TelexError("user_not_found");
}

const networkless = { ext: null, bot: null, avatar: null } as const;

/** Adds a room unless its key has one. Returns its id. */
async function append(
  { telex, storage }: AuthDeps,
  room: { readonly groupType: 1 | 2; readonly name: string; readonly topic: string; readonly uniqueKey: string | null },
  members: readonly MemberRecord[],
) {
  const given = { ...room, ...networkless, createdAt: telex.clock.now() };
  const { outcome, group } = await storage.groups.appendRoom(given, members);
  if (outcome === "appended") {
    const to = members.map(({ userId }) => userId);
    await telex.roomChanged(group.groupId, [{ change: "added", groupType: room.groupType, to }]);
  }
  return { groupId: group.groupId, isNew: outcome === "appended" };
}

/**
 * Makes a room whose owner is the caller, and returns its id.
 * @throws TelexError `not_allowed`, `user_not_found`
 */
export async function createRoom(deps: AuthDeps, maker: RoomMaker, room: NewRoom): Promise<number> {
  const { telex, rules } = deps;
  const { userId } = maker;
  if (rules.roomCreation === "admins" && !maker.scopes.includes("admin")) throw new TelexError("not_allowed");
  const others = [...new Set(room.members)].filter((other) => other !== userId);
  await assertCanBeAdded(deps, others);
  const now = telex.clock.now();
  const members = [
    { ...newMember(userId, now), role: "owner" as const },
    ...others.map((other) => newMember(other, now)),
  ];
  const uniqueKey = room.nonce === undefined ? null : `nonce/${userId}/${room.nonce}`;
  const { name, topic } = room;
  const { groupId, isNew } = await append(deps, { groupType: 1, name, topic, uniqueKey }, members);
  if (isNew) await telex.announce({ kind: "created", groupId, userId, userIds: others });
  return groupId;
}

/** The oldest private chat of exactly these two, which may be one that an operator added, or null. */
async function findPrivate(
  { storage: { groups } }: AuthDeps,
  [a, b]: readonly [number, number],
): Promise<number | null> {
  const ofOther = new Set(await groups.listGroupsOf(b));
  for (const groupId of await groups.listGroupsOf(a)) {
    if (!ofOther.has(groupId)) continue;
    const group = await groups.findGroup(groupId);
    if (group?.groupType === 2 && (await groups.findRoom(groupId))?.members.size === 2) return groupId;
  }
  return null;
}

/**
 * Opens the private chat of two people, and returns its id.
 * @throws TelexError `invalid_request` for a chat with oneself, `user_not_found`
 */
export async function openPrivate(deps: AuthDeps, userId: number, other: number): Promise<number> {
  if (userId === other)
    throw new TelexError("invalid_request", { issues: [{ path: "userId", problem: "invalid", params: {} }] });
  await assertCanBeAdded(deps, [other], false);
  const known = await findPrivate(deps, [userId, other]);
  if (known !== null) return known;
  const now = deps.telex.clock.now();
  const pair = [userId, other].toSorted((a, b) => a - b);
  const names = await Promise.all(pair.map(async (one) => (await deps.storage.users.findUser(one))?.nickname ?? ""));
  const room = { groupType: 2, name: names.join(", "), topic: "", uniqueKey: `pair/${pair.join("/")}` } as const;
  return (
    await append(
      deps,
      room,
      pair.map((one) => newMember(one, now)),
    )
  ).groupId;
}
