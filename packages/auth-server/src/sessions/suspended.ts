import type { UserRecord } from "@telex/core/storage";

/** True for a user whose tokens and sessions are refused. A storage without suspension has no such users. */
export const isSuspended = (user: UserRecord): boolean => "suspended" in user && user.suspended === true;
