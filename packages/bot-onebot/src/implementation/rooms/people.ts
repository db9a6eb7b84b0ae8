import { operator } from "@telex/core";
import type { Actor } from "../context.ts";
import { ownRooms, peerOf } from "./own-rooms.ts";
import { ActionError } from "../results.ts";
import type { BookedMember, BookedRoom } from "./room-book.ts";

/** The user for whom the framework acts. */
export async function findSelf({ telex, holder }: Actor): Promise<BookedMember> {
  const { id, nickname, ext } = await telex.operator.users.show(operator, { id: holder.userId });
  return { userId: id, nickname, ext, card: null };
}

/** The people with whom the account has a private room. */
export async function listFriends(actor: Actor): Promise<BookedMember[]> {
  const friends = new Map<number, BookedMember>();
  for await (const room of ownRooms(actor.telex, actor.rooms, actor.holder)) {
    const peer = room.isPrivate ? peerOf(room, actor.holder.userId) : null;
    const member = peer === null ? undefined : room.members.get(peer);
    if (member !== undefined) friends.set(member.userId, member);
  }
  return [...friends.values()];
}

/** The groups of the account. */
export async function listGroups(actor: Actor): Promise<BookedRoom[]> {
  const groups: BookedRoom[] = [];
  for await (const room of ownRooms(actor.telex, actor.rooms, actor.holder)) if (!room.isPrivate) groups.push(room);
  return groups;
}

/**
 * A member of a room.
 * @throws ActionError `missing`
 */
export function findMember(room: BookedRoom, userId: number): BookedMember {
  const member = room.members.get(userId);
  if (member === undefined) throw new ActionError("missing", "No member of the group has this user id.");
  return member;
}

/**
 * A person who shares a room with the account, or the account itself.
 * @throws ActionError `missing`
 */
export async function findPerson(actor: Actor, userId: number): Promise<BookedMember> {
  if (userId === actor.holder.userId) return findSelf(actor);
  for await (const { members } of ownRooms(actor.telex, actor.rooms, actor.holder)) {
    const member = members.get(userId);
    if (member !== undefined) return member;
  }
  throw new ActionError("missing", "No member of the account's rooms has this user id.");
}
