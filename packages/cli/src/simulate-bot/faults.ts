import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../simulate/random.ts";

/** What can go wrong in a network and between its bot and Telex. */
export type BotFault = "slow" | "drop-before" | "drop-after" | "dup" | "offline" | "malformed";

/** How often a message suffers. */
const rates: Readonly<Record<BotFault, number>> = {
  slow: 0.3,
  "drop-before": 0.05,
  "drop-after": 0.05,
  dup: 0.2,
  offline: 0.05,
  malformed: 0.2,
};
/** Milliseconds at most that an answer is late, and that the account is signed out. */
const longest = { slow: 500, offline: 1000 } as const;

/** The faults of a run, as the seed decides. */
export interface BotFaults {
  /** True if this fault happens now. */
  strikes(fault: BotFault): boolean;
  /** Waits for a while if the network is slow now. */
  slow(): Promise<void>;
  /** Milliseconds for which the account is signed out. */
  absence(): number;
  /** Nothing goes wrong from now on. */
  end(): void;
}

/** The faults that were asked for. */
export function createBotFaults(faults: ReadonlySet<BotFault>, random: Random): BotFaults {
  let isOver = false;
  const strikes = (fault: BotFault): boolean => !isOver && faults.has(fault) && random.chance(rates[fault]);
  return {
    strikes,
    async slow() {
      if (strikes("slow")) await sleep(random.next() * longest.slow);
    },
    absence: () => random.next() * longest.offline,
    end: () => void (isOver = true),
  };
}
