import type { UserRecord } from "@telex/core/storage";

/** True for a user whose tokens and sessions are refused. */
export const isSuspended = ({ suspended }: UserRecord): boolean => suspended;
