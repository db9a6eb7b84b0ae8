import type { Account } from "@telex/core/storage";

/** True if the person of an account has blocked this user. */
export const hasBlocked = ({ blocked }: Pick<Account, "blocked">, userId: number): boolean =>
  blocked.includes(String(userId));
