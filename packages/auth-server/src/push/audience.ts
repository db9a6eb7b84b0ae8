import { groupTypes, type MessageRecord, type Room } from "@telex/core/storage";
import { LRUCache } from "lru-cache";
import { hasBlocked } from "../groups/has-blocked.ts";
import type { AuthDeps } from "../options.ts";
import { isSuspended } from "../sessions/suspended.ts";

type AudienceDeps = Pick<AuthDeps, "telex" | "storage">;

const privateTypes: readonly number[] = [
  groupTypes.HOME_PRIVATE_CHAT,
  groupTypes.HOME_EXT_PRIVATE_CHAT,
  groupTypes.SELF_EXT_PRIVATE_CHAT,
];

/** Members of all rooms that are kept. */
const mostMembers = 200_000;

/** True for a room of two. */
export const isPrivate = ({ group }: Room): boolean => privateTypes.includes(group.groupType);

/** Finds rooms as they are now. The members of a room are read only after a change of it. */
export function createFindRoom({ groups }: AuthDeps["storage"]): (groupId: number) => Promise<Room | null> {
  const rooms = new LRUCache<number, Room>({
    maxSize: mostMembers,
    sizeCalculation: ({ members }) => members.size + 1,
  });
  return async (groupId) => {
    const group = await groups.findGroup(groupId);
    if (group === null) return null;
    const cached = rooms.get(groupId);
    if (cached?.group.rev === group.rev) return cached;
    const room = await groups.findRoom(groupId);
    if (room !== null) rooms.set(groupId, room);
    return room;
  };
}

const isMention = (room: Room, { mentions }: MessageRecord, userId: number): boolean =>
  isPrivate(room) || mentions === " * " || mentions?.includes(` ${userId} `) === true;

/** True if a person wants to hear of a message of a room now: a member, neither its sender nor one who has blocked or muted it. */
export async function isWanted(
  { telex, storage }: AudienceDeps,
  room: Room,
  message: MessageRecord,
  userId: number,
): Promise<boolean> {
  const { external, userId: sender } = message;
  const member = room.members.get(userId);
  if (member === undefined || member.mutedUntil > telex.clock.now()) return false;
  if (!external && sender === String(userId)) return false;
  const [account, user] = await Promise.all([storage.accounts.findAccount({ userId }), storage.users.findUser(userId)]);
  if (account === null || user === null || isSuspended(user)) return false;
  if (!external && hasBlocked(account, Number(sender))) return false;
  const level = member.notify === "default" ? account.notify : member.notify;
  return level === "all" || (level === "mentions" && isMention(room, message, userId));
}
