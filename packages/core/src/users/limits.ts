import { day, second } from "../time/units.ts";

/** The limits of tokens and users. */
export interface UsersLimits {
  /** Milliseconds for which a verified token is trusted without asking again. */
  readonly tokenCacheLife: number;
  /** Verified tokens that are kept. */
  readonly tokenCacheEntries: number;
  /** Milliseconds that a token lasts when no other time is asked for. */
  readonly tokenLife: number;
  /** Milliseconds that the token of a paired device lasts. */
  readonly deviceTokenLife: number;
  /** Users that are kept. */
  readonly userCacheEntries: number;
}

/** The default of each limit. */
export const usersLimits: UsersLimits = {
  tokenCacheLife: second / 2,
  tokenCacheEntries: 10_000,
  tokenLife: 90 * day,
  deviceTokenLife: 365 * day,
  userCacheEntries: 10_000,
};
