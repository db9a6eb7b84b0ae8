import { day, hour } from "@telex/ground/time";

const mib = 1024 * 1024;

/** The limits of avatars, with their defaults. */
export const avatarsLimits = {
  /** Milliseconds for which an avatar of the external network is fresh (interface 4.4). */
  avatarLife: 12 * hour,
  /** Milliseconds for which an older avatar of the external network is served if the network does not answer. */
  avatarStaleLife: 7 * day,
  /** Bytes that are read from an external avatar. */
  avatarBytes: 5 * mib,
  /** External avatars that are fetched simultaneously. */
  avatarFetches: 64,
  /** Avatars that are kept. */
  avatarCacheEntries: 2000,
  /** Bytes of avatars that are kept. */
  avatarCacheBytes: 64 * mib,
};

/** The type of {@link avatarsLimits}, by name. */
export interface AvatarsLimits extends Readonly<typeof avatarsLimits> {}
