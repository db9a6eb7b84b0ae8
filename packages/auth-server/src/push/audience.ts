import { type Account, groupTypes, type MessageRecord, type Room } from "@telex/core/storage";
import { hasBlocked } from "../groups/has-blocked.ts";
import type { AuthDeps } from "../options.ts";
import { isSuspended } from "../sessions/suspended.ts";

type AudienceDeps = Pick<AuthDeps, "telex" | "storage">;

const privateTypes: readonly number[] = [
  groupTypes.HOME_PRIVATE_CHAT,
  groupTypes.HOME_EXT_PRIVATE_CHAT,
  groupTypes.SELF_EXT_PRIVATE_CHAT,
];

/** True for a room of two. */
export const isPrivate = ({ group }: Room): boolean => privateTypes.includes(group.groupType);

const isMention = (room: Room, { mentions }: MessageRecord, userId: number): boolean =>
  isPrivate(room) || mentions === " * " || mentions?.includes(` ${userId} `) === true;

/** True for a member who has not muted the room, and is not the sender. */
function isReader({ telex }: AudienceDeps, room: Room, { external, userId: sender }: MessageRecord, userId: number) {
  const member = room.members.get(userId);
  if (member === undefined || member.mutedUntil > telex.clock.now()) return false;
  return external || sender !== String(userId);
}

/** True if an account has not blocked the sender, and wants notifications for such messages of the room. */
function isHeard(room: Room, message: MessageRecord, account: Account): boolean {
  const { userId } = account;
  if (!message.external && hasBlocked(account, Number(message.userId))) return false;
  const chosen = room.members.get(userId)?.notify ?? "default";
  const level = chosen === "default" ? account.notify : chosen;
  return level === "all" || (level === "mentions" && isMention(room, message, userId));
}

/** The accounts of these people, without suspended ones. */
async function findActive({ accounts, users }: AuthDeps["storage"], userIds: readonly number[]) {
  const [found, owners] = await Promise.all([accounts.findAccounts(userIds), users.findUsers(userIds)]);
  const active = new Set(owners.filter((user) => !isSuspended(user)).map(({ userId }) => userId));
  return found.filter(({ userId }) => active.has(userId));
}

/** The people of a short list who want a notification for a message of a room now. They are read together. */
export async function findWanting(
  deps: AudienceDeps,
  room: Room,
  message: MessageRecord,
  userIds: readonly number[],
): Promise<readonly number[]> {
  const readers = userIds.filter((userId) => isReader(deps, room, message, userId));
  if (readers.length === 0) return [];
  const active = await findActive(deps.storage, readers);
  return active.filter((account) => isHeard(room, message, account)).map(({ userId }) => userId);
}
