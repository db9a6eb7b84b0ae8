import { TelexError, type TokenHolder } from "@telex/core";
import { type GroupRecord, type MemberRecord, newMember } from "@telex/core/storage";
import { changeRoomAs } from "./change-room.ts";
import { hasBlocked } from "./has-blocked.ts";
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

/**
 * True for a user who can be talked to: with an account, or a model.
 * @param by the user who adds them; null if they join by themselves
 */
async function canBeAdded(
  { storage }: AuthDeps,
  by: number | null,
  userId: number,
  allowsModels: boolean,
): Promise<boolean> {
  const [user, account] = await Promise.all([storage.users.findUser(userId), storage.accounts.findAccount({ userId })]);
  if (user === null || isSuspended(user)) return false;
  if (user.ai !== null) return allowsModels;
  return account !== null && (by === null || !hasBlocked(account, by));
}

/** Maximum users that are looked up simultaneously. */
const batchSize = 50;

/** @throws TelexError `user_not_found` unless each of them can be added to a room by this user */
export async function assertCanBeAdded(
  deps: AuthDeps,
  by: number | null,
  userIds: readonly number[],
  allowsModels = true,
): Promise<void> {
  const all = [...new Set(userIds)];
  for (let start = 0; start < all.length; start += batchSize) {
    const some = all.slice(start, start + batchSize);
    const can = await Promise.all(some.map((userId) => canBeAdded(deps, by, userId, allowsModels)));
    if (can.includes(false)) throw new TelexError("user_not_found");
  }
}

type Members = readonly MemberRecord[];

const networkless = { ext: null, bot: null, avatar: null } as const;

/** Adds a room unless its key has one. Returns its id. */
async function append(
  { telex, storage }: AuthDeps,
  room: { readonly groupType: 1 | 2; readonly name: string; readonly topic: string; readonly uniqueKey: string | null },
  members: readonly MemberRecord[],
) {
  const newRoom = { ...room, ...networkless, createdAt: telex.clock.now() };
  const { outcome, group } = await storage.groups.appendRoom(newRoom, members);
  if (outcome === "appended") await telex.roomChanged(group.groupId);
  return { groupId: group.groupId, group, isNew: outcome === "appended" };
}

/** A room that has not changed since it was made shows whether a repeat means the same. */
async function assertRepeats({ storage }: AuthDeps, group: GroupRecord, { name, topic }: NewRoom, members: Members) {
  if (group.rev > 0) return;
  const stored = new Set((await storage.groups.findRoom(group.groupId))?.members.keys());
  const isSame = stored.size === members.length && members.every(({ userId }) => stored.has(userId));
  if (group.name !== name || group.topic !== topic || !isSame) throw new TelexError("nonce_conflict");
}

const firstMembers = (owner: number, others: readonly number[], now: number): Members => [
  { ...newMember(owner, now), role: "owner" },
  ...others.map((other) => newMember(other, now)),
];

/**
 * Makes a room whose owner is the caller, and returns its id.
 * @throws TelexError `not_allowed`, `user_not_found`, `nonce_conflict`
 */
export async function createRoom(deps: AuthDeps, maker: RoomMaker, room: NewRoom): Promise<number> {
  const { telex, rules } = deps;
  const { userId } = maker;
  if (rules.roomCreation === "admins" && !maker.scopes.includes("admin")) throw new TelexError("not_allowed");
  const others = [...new Set(room.members)].filter((other) => other !== userId);
  await assertCanBeAdded(deps, userId, others);
  const members = firstMembers(userId, others, telex.clock.now());
  const uniqueKey = room.nonce === undefined ? null : `nonce/${userId}/${room.nonce}`;
  const { name, topic } = room;
  const { groupId, group, isNew } = await append(deps, { groupType: 1, name, topic, uniqueKey }, members);
  if (isNew) await telex.announce({ kind: "created", groupId, userId, userIds: others });
  else await assertRepeats(deps, group, room, members);
  return groupId;
}

type Pair = readonly [number, number];

/** The oldest private chat of exactly these two, which may be one that an operator added, or null. */
async function findPrivate({ storage: { groups } }: AuthDeps, [a, b]: Pair): Promise<number | null> {
  const ofOther = new Set(await groups.listGroupsOf(b));
  for (const groupId of await groups.listGroupsOf(a)) {
    if (!ofOther.has(groupId)) continue;
    const group = await groups.findGroup(groupId);
    if (group?.groupType === 2 && (await groups.findRoom(groupId))?.members.size === 2) return groupId;
  }
  return null;
}

async function blocks({ storage }: AuthDeps, userId: number, other: number): Promise<boolean> {
  const account = await storage.accounts.findAccount({ userId });
  return account !== null && hasBlocked(account, other);
}

/** True if one of the two has blocked the other. */
async function isBlocked(deps: AuthDeps, [a, b]: Pair): Promise<boolean> {
  return (await blocks(deps, a, b)) || (await blocks(deps, b, a));
}

/** Closes the private chat of two people if one has blocked the other, and otherwise opens it: a closed one can only be read. */
export async function settlePrivate(deps: AuthDeps, pair: Pair): Promise<void> {
  const groupId = await findPrivate(deps, pair);
  if (groupId === null) return;
  const changing = { telex: deps.telex, groups: deps.storage.groups };
  await changeRoomAs(changing, { groupId, userId: pair[0] }, async (room) => {
    const archived = await isBlocked(deps, pair);
    return room.group.archived === archived ? null : { change: { archived }, put: [], drop: [], notices: [] };
  });
}

/** Appends the private chat of two people. Its key is the same in both orders, so two simultaneous calls get the same room. */
async function appendPrivate(deps: AuthDeps, users: Pair): Promise<number> {
  const now = deps.telex.clock.now();
  const pair = users.toSorted((a, b) => a - b);
  const names = await Promise.all(pair.map(async (one) => (await deps.storage.users.findUser(one))?.nickname ?? ""));
  const room = { groupType: 2, name: names.join(", "), topic: "", uniqueKey: `pair/${pair.join("/")}` } as const;
  const members = pair.map((one) => newMember(one, now));
  return (await append(deps, room, members)).groupId;
}

/**
 * Opens the private chat of two people, and returns its id.
 * @throws TelexError `invalid_request` for a chat with oneself, `user_not_found`
 */
export async function openPrivate(deps: AuthDeps, userId: number, other: number): Promise<number> {
  if (userId === other)
    throw new TelexError("invalid_request", { issues: [{ path: "userId", problem: "invalid", params: {} }] });
  await assertCanBeAdded(deps, userId, [other], false);
  if (await isBlocked(deps, [userId, other])) throw new TelexError("user_not_found");
  const existing = await findPrivate(deps, [userId, other]);
  if (existing !== null) return existing;
  const groupId = await appendPrivate(deps, [userId, other]);
  // One may have blocked the other while the room was created.
  await settlePrivate(deps, [userId, other]);
  return groupId;
}
