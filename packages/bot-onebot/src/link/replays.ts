import { hash } from "node:crypto";
import type { Clock } from "@telex/core";
import { createInTurn } from "@telex/core/transport";
import { LRUCache } from "lru-cache";
import { z } from "zod";

/** Milliseconds by which the time of an event may differ from ours: an older one says nothing of what holds now. */
const window = 300_000;
/** Signatures of all accounts that this server remembers. */
const most = 10_000;

const timed = z.object({ time: z.number() });

/**
 * Tells signed events that may not come from the bot now, but from somebody who has seen them: their messages are stored once in any
 * case, and they must say nothing of what holds now.
 */
export interface Replays {
  /**
   * Resolves with true for an event whose signature has come before, on whichever server, whose time is too far from now, or that has no
   * time. Those of one account in their order. While the storage does not answer, only this server remembers.
   */
  isOld(account: string, signature: string, event: unknown): Promise<boolean>;
}

/** @param claim resolves with true for the first caller of the installation within some milliseconds */
export function createReplays(clock: Clock, claim: (name: string, life: number) => Promise<boolean>): Replays {
  const seen = new LRUCache<string, number>({ max: most });
  const turns = createInTurn();
  const isFirst = async (key: string): Promise<boolean> => {
    const now = clock.now();
    if (now - (seen.get(key) ?? -Infinity) <= 2 * window) return false;
    seen.set(key, now);
    return claim(`webhook/${key}`, 2 * window).catch(() => true);
  };
  return {
    isOld: (account, signature, event) =>
      turns.run(account, async () => {
        const { data } = timed.safeParse(event);
        const isTimely = data !== undefined && Math.abs(clock.now() - 1000 * data.time) <= window;
        return !isTimely || !(await isFirst(hash("sha256", JSON.stringify([account, signature]))));
      }),
  };
}
