import { hash } from "node:crypto";
import type { Clock, Logger } from "@telex/core";
import { createInTurn, createOnce } from "@telex/core/transport";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { eventTime } from "../wire/fields.ts";

/** Milliseconds by which the time of an event may differ from that of the server: an older one says nothing about the current state. */
const window = 300_000;
/** Signatures of all accounts that this server remembers. */
const most = 10_000;

const timed = z.object({ time: eventTime });

/**
 * Recognizes signed events that may not come from the bot now, but from someone who has seen them: their messages are stored once in any
 * case, and they must not change the current state.
 */
export interface Replays {
  /**
   * Resolves with true for an event whose signature has come before, on whichever server, whose time is too far from now, or that has no
   * time. Events of one account resolve in order. While the storage does not answer, only this server remembers.
   */
  isOld(account: string, signature: string, event: unknown): Promise<boolean>;
}

interface ReplaysDeps {
  readonly clock: Clock;
  readonly log: Pick<Logger, "error">;
  /** Resolves with true for the first caller of the installation within some milliseconds. */
  readonly claim: (name: string, life: number) => Promise<boolean>;
}

export function createReplays({ clock, log, claim }: ReplaysDeps): Replays {
  const seen = new LRUCache<string, number>({ maxSize: most, sizeCalculation: () => 1 });
  const turns = createInTurn();
  const isToldFirst = createOnce(clock);
  const isFirst = async (account: string, signature: string): Promise<boolean> => {
    const key = hash("sha256", JSON.stringify([account, signature]));
    const now = clock.now();
    if (now - (seen.get(key) ?? -Infinity) <= 2 * window) return false;
    seen.set(key, now);
    return claim(`webhook/${key}`, 2 * window).catch((cause: unknown) => {
      if (isToldFirst(account)) log.error("onebot.claim_failed", { account }, cause);
      return true;
    });
  };
  const isOld = async (account: string, signature: string, event: unknown): Promise<boolean> => {
    const { data } = timed.safeParse(event);
    const isTimely = data !== undefined && Math.abs(clock.now() - data.time) <= window;
    return !isTimely || !(await isFirst(account, signature));
  };
  return {
    isOld(account, signature, event) {
      // Events are claimed simultaneously: one after the other, each would wait for the storage as often as there are events before it.
      const isRepeated = isOld(account, signature, event);
      return turns.run(account, () => isRepeated);
    },
  };
}
