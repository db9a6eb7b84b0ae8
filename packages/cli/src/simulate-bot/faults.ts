import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "@telex/conformance/testing";

/** Faults of a network, and between its bot and Telex. */
export type BotFault = "slow" | "drop-before" | "drop-after" | "dup" | "offline" | "malformed";

/** The probability of each fault. */
const rates: Readonly<Record<BotFault, number>> = {
  slow: 0.3,
  "drop-before": 0.05,
  "drop-after": 0.05,
  dup: 0.2,
  offline: 0.05,
  malformed: 0.2,
};
/** Maximum milliseconds of a delay, and of an absence of the account. */
const longest = { slow: 500, offline: 1000 } as const;

/** The faults of a run, which the seed determines. */
export interface BotFaults {
  /** True if this fault occurs now. */
  strikes(fault: BotFault): boolean;
  /** Delays the caller if the network is slow now. */
  slow(): Promise<void>;
  /** Milliseconds of an absence of the account. */
  absence(): number;
  /** Ends all faults. */
  end(): void;
}

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
