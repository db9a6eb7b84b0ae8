import { createLru } from "@telex/ground/caches";
import type { NetworkMessageStore } from "../message-store.ts";

/** The first number for persons whose ID is not a number. There are 7 billion numbers from it up to the greatest id. */
const firstAlias = 9_007_192_000_000_000;
const lastAlias = Number.MAX_SAFE_INTEGER;
const greatestLong = 9_223_372_036_854_775_807n;

/** True for a number that stands for a person whose ID in the network is not a number. */
const isAlias = (digits: string): boolean => {
  const value = /^[1-9]\d{15}$/.test(digits) ? Number(digits) : 0;
  return value > firstAlias && value <= lastAlias;
};

/** True for an ID that can be a `userId` as it is: a long in decimal digits that is not the alias of another person. */
const isOwnId = (ext: string): boolean => /^[1-9]\d{0,18}$/.test(ext) && BigInt(ext) <= greatestLong && !isAlias(ext);

export interface NetworkPeople {
  /** The `userId` of a person: the ID if it is a long in decimal digits, otherwise a long that is always the same. */
  userIdOf(network: string, ext: string): Promise<string>;
  /** The ID in the network of the person with this `userId`. */
  extOf(userId: string): Promise<string>;
}

/** @param entries people that are remembered */
export function createNetworkPeople(
  store: Pick<NetworkMessageStore, "assignNumber" | "findPerson">,
  entries: number,
): NetworkPeople {
  const userIds = createLru<string, string>(entries);
  return {
    async userIdOf(network, ext) {
      if (isOwnId(ext)) return ext;
      const key = JSON.stringify([network, ext]);
      const userId = userIds.get(key) ?? String(firstAlias + (await store.assignNumber({ network, ext })));
      userIds.set(key, userId);
      return userId;
    },
    async extOf(userId) {
      if (!isAlias(userId)) return userId;
      return (await store.findPerson(Number(userId) - firstAlias))?.ext ?? userId;
    },
  };
}
