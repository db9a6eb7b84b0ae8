import { day, second } from "@telex/ground/time";

export const usersLimits = {
  /** Milliseconds for which a verified token is trusted without asking again. */
  tokenCacheLife: second / 2,
  /** Verified tokens that are kept. */
  tokenCacheEntries: 10_000,
  /** Milliseconds that a token lasts when no other time is asked for. */
  tokenLife: 90 * day,
  /** Milliseconds that the token of a paired device lasts. */
  deviceTokenLife: 365 * day,
  /** Users that are kept. */
  userCacheEntries: 10_000,
};

export interface UsersLimits extends Readonly<typeof usersLimits> {}
