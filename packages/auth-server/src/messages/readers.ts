import { TelexError } from "@telex/core";
import type { Room } from "@telex/core/storage";
import { isSuspended } from "../sessions/suspended.ts";
import type { AuthDeps } from "../options.ts";

/** Members that one page looks at. */
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

/** True unless the person has switched off that others see what they read. Users without an account have no such switch. */
const showsRead = async ({ storage }: AuthDeps, userId: number): Promise<boolean> =>
  (await storage.accounts.findAccount({ userId }))?.showRead !== false;

async function readerOf(deps: AuthDeps, groupId: number, userId: number, messageId: number) {
  const { users, messages } = deps.storage;
  const reading = (await messages.findReadings(userId, [groupId])).get(groupId);
  if (reading === undefined || reading.readUpTo < messageId || !(await showsRead(deps, userId))) return [];
  const user = await users.findUser(userId);
  return user === null || isSuspended(user) ? [] : [{ userId: String(userId), nickname: user.nickname }];
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
  if (!(await showsRead(deps, userId))) return none;
  const isSender = (id: number): boolean => !message.external && message.userId === String(id);
  const others = [...members.keys()].filter((id) => id > after && !isSender(id)).toSorted((a, b) => a - b);
  const page = others.slice(0, lookedAt);
  const list = await Promise.all(page.map(async (id) => await readerOf(deps, groupId, id, messageId)));
  return { list: list.flat(), nextCursor: others.length > page.length ? String(page.at(-1)) : null };
}
