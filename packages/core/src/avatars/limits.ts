import { day, hour } from "../time/units.ts";

const mib = 1024 * 1024;

/** The limits of avatars. */
export interface AvatarsLimits {
  /** Milliseconds for which an avatar of the external network is fresh (interface 4.4). */
  readonly avatarLife: number;
  /** Milliseconds for which an older avatar of the external network is served while the network does not answer. */
  readonly avatarStaleLife: number;
  /** Bytes that are read from an external avatar. */
  readonly avatarBytes: number;
  /** External avatars that are fetched simultaneously. */
  readonly avatarFetches: number;
  /** Avatars that are kept. */
  readonly avatarCacheEntries: number;
  /** Bytes of avatars that are kept. */
  readonly avatarCacheBytes: number;
}

/** The default of each limit. */
export const avatarsLimits: AvatarsLimits = {
  avatarLife: 12 * hour,
  avatarStaleLife: 7 * day,
  avatarBytes: 5 * mib,
  avatarFetches: 64,
  avatarCacheEntries: 2000,
  avatarCacheBytes: 64 * mib,
};
