import type { Limits } from "@telex/core";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";

const mib = 2 ** 20;

/** A quarter of the caches that an instance has by default. */
const smallCaches = {
  avatarCacheEntries: 500,
  avatarCacheBytes: 16 * mib,
  imageCacheEntries: 75,
  imageCacheBytes: 8 * mib,
  nameCacheEntries: 500,
  roomCacheEntries: 250,
  tokenCacheEntries: 2500,
  userCacheEntries: 2500,
} as const satisfies Partial<Limits>;

/** The limits that the setting `memory` changes. */
export const cachesOf = ({ get }: Pick<Config, "get">): Partial<Limits> =>
  get(settings.memory) === "small" ? smallCaches : {};
