import { setTimeout as sleep } from "node:timers/promises";
import type { Network } from "../client/api.ts";
import type { Random } from "@telex/core/testing";

/** Faults between a device and the server, and of the device's clock. */
const faultNames = ["drop", "dup", "slow", "skew"] as const;

/** One word of {@link faultNames}. */
export type Fault = (typeof faultNames)[number];

/** The probability and extent of faults. */
const rates = { drop: 0.1, dup: 0.1, slow: 0.3, slowest: 1500 } as const;

/**
 * A network with faults. `drop` loses a request before it arrives, or its response after the server has acted; `dup` sends a request
 * twice; `slow` delays a request or its response for up to 1.5 s.
 */
export function withFaults(network: Network, faults: ReadonlySet<Fault>, random: Random): Network {
  const slow = async (signal: AbortSignal): Promise<void> => {
    if (faults.has("slow") && random.chance(rates.slow)) await sleep(random.next() * rates.slowest, null, { signal });
  };
  const drop = (what: string): void => {
    if (faults.has("drop") && random.chance(rates.drop)) throw new TypeError(`The ${what} was lost (simulated).`);
  };
  const send: Network = async (url, init) => {
    if (!faults.has("dup") || !random.chance(rates.dup)) return await network(url, init);
    const [first, second] = await Promise.all([network(url, init), network(url, init)]);
    await first.body?.cancel();
    return second;
  };
  return async (url, init) => {
    await slow(init.signal);
    drop("request");
    const answer = await send(url, init);
    await slow(init.signal);
    try {
      drop("answer");
    } catch (error) {
      await answer.body?.cancel();
      throw error;
    }
    return answer;
  };
}

/** A device's clock. */
export interface DeviceClock {
  /** Unix milliseconds by the device's clock. */
  now(): number;
  /** Resolves after this many milliseconds of the device's clock. Rejects when the signal aborts. */
  sleep(length: number, signal: AbortSignal): Promise<void>;
}

/** The clock of a device. With `skew` it is off by up to ten minutes and runs up to 5 % too fast or too slow. */
export function createDeviceClock(faults: ReadonlySet<Fault>, random: Random): DeviceClock {
  const skewed = faults.has("skew");
  const start = Date.now();
  const offset = skewed ? (random.next() - 0.5) * 20 * 60_000 : 0;
  const rate = skewed ? 1 + (random.next() - 0.5) * 0.1 : 1;
  return {
    now: () => start + offset + (Date.now() - start) * rate,
    sleep: async (length, signal) => await sleep(length / rate, undefined, { signal }),
  };
}
