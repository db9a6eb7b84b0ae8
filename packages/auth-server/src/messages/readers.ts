import { TelexError } from "@telex/core";
import type { MessageRecord, Room } from "@telex/core/storage";
import { isSuspended } from "../sessions/suspended.ts";
import type { AuthDeps } from "../options.ts";

/** Maximum members that are checked for one page. */
const lookedAt = 100;

interface ReadersPage {
  readonly list: { readonly userId: string; readonly nickname: string }[];
  readonly nextCursor: string | null;
}

interface Asked {
  readonly userId: number;
  readonly messageId: number;
  /** Only members with a greater id. */
  readonly after: number;
}

const none: ReadersPage = { list: [], nextCursor: null };

/** Those who have not switched off that others see what they read. Users without an account have no such switch. */
async function showing({ storage }: AuthDeps, userIds: readonly number[]): Promise<readonly number[]> {
  const accounts = await storage.accounts.findAccounts(userIds);
  const hidden = new Set(accounts.filter(({ showRead }) => !showRead).map(({ userId }) => userId));
  return userIds.filter((userId) => !hidden.has(userId));
}

/** Those of some members who have read a message, by id: three reads for all of them. */
async function readersAmong(deps: AuthDeps, { groupId, seq }: MessageRecord, userIds: readonly number[]) {
  const { users, messages } = deps.storage;
  const readers = await messages.findReaders({ groupId, seq, userIds });
  const shown = await users.findUsers(await showing(deps, readers));
  return shown
    .filter((user) => !isSuspended(user))
    .toSorted((a, b) => a.userId - b.userId)
    .map(({ userId, nickname }) => ({ userId: String(userId), nickname }));
}

/**
 * The members who have read a message, by id, without its sender. A page may be short.
 * @throws TelexError `not_found`
 */
export async function readersOf(
  deps: AuthDeps,
  { group: { groupId }, members }: Room,
  { userId, messageId, after }: Asked,
): Promise<ReadersPage> {
  const message = await deps.storage.messages.findMessage(groupId, messageId);
  if (message === null) throw new TelexError("not_found", { reason: "message_unknown", params: { messageId } });
  if ((await showing(deps, [userId])).length === 0) return none;
  const isSender = (id: number): boolean => !message.external && message.userId === String(id);
  const others = [...members.keys()].filter((id) => id > after && !isSender(id)).toSorted((a, b) => a - b);
  const page = others.slice(0, lookedAt);
  const list = await readersAmong(deps, message, page);
  return { list, nextCursor: others.length > page.length ? String(page.at(-1)) : null };
}
