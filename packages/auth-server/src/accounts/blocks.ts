import { TelexError } from "@telex/core";
import type { UserRecord } from "@telex/core/storage";
import { amendRepeatedly } from "./amend-repeatedly.ts";
import type { AuthDeps } from "../options.ts";
import { settlePrivate } from "../groups/rooms.ts";

/** Maximum people whom one person can block. */
const most = 1000;

/** The users whom a person has blocked. */
export async function listBlocked({ storage }: AuthDeps, userId: number): Promise<readonly UserRecord[]> {
  const account = await storage.accounts.findAccount({ userId });
  const blocked = (account?.blocked ?? []).map(Number);
  const users = await storage.users.findUsers(blocked);
  return users.toSorted((a, b) => blocked.indexOf(a.userId) - blocked.indexOf(b.userId));
}

/** @throws TelexError `invalid_request` for oneself, `user_not_found`, `limit_reached`, `busy` */
export async function block(deps: AuthDeps, userId: number, other: number): Promise<void> {
  if (userId === other)
    throw new TelexError("invalid_request", { issues: [{ path: "userId", problem: "invalid", params: {} }] });
  if ((await deps.storage.users.findUser(other)) === null) throw new TelexError("user_not_found");
  await amendRepeatedly(deps, userId, ({ blocked }) => {
    if (blocked.includes(String(other))) return null;
    if (blocked.length >= most) throw new TelexError("limit_reached", { params: { max: most } });
    return { change: { blocked: [...blocked, String(other)] } };
  });
  await settlePrivate(deps, [userId, other]);
}

/** @throws TelexError `user_not_found`, `busy` */
export async function unblock(deps: AuthDeps, userId: number, other: number): Promise<void> {
  await amendRepeatedly(deps, userId, ({ blocked }) =>
    blocked.includes(String(other)) ? { change: { blocked: blocked.filter((id) => id !== String(other)) } } : null,
  );
  await settlePrivate(deps, [userId, other]);
}
