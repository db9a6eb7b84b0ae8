import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "@telex/conformance/testing";
import type { Send } from "../client/requests.ts";

/** Faults between a device and the server, and of the device's clock. */
const faultNames = ["drop", "dup", "slow", "skew"] as const;

/** One word of {@link faultNames}. */
export type Fault = (typeof faultNames)[number];

/** The probability and extent of faults. */
const rates = { drop: 0.1, dup: 0.1, slow: 0.3, slowest: 1500 } as const;

/** The loss of a request or of its response by {@link withFaults}. */
export class SimulatedLoss extends TypeError {}

/**
 * A network with faults. `drop` loses a request before it arrives, or its response after the server has acted; `dup` sends a request
 * twice; `slow` delays a request or its response for up to 1.5 s.
 */
export function withFaults(network: Send, faults: ReadonlySet<Fault>, random: Random): Send {
  const slow = async (signal: AbortSignal): Promise<void> => {
    if (faults.has("slow") && random.chance(rates.slow)) await sleep(random.next() * rates.slowest, null, { signal });
  };
  const isDropped = (): boolean => faults.has("drop") && random.chance(rates.drop);
  const send: Send = async (request) => {
    if (!faults.has("dup") || !random.chance(rates.dup)) return await network(request);
    const [first, second] = await Promise.all([network(request.clone()), network(request)]);
    await first.body?.cancel();
    return second;
  };
  return async (request) => {
    const { signal } = request;
    await slow(signal);
    if (isDropped()) throw new SimulatedLoss("The request was lost (simulated).");
    const response = await send(request);
    await slow(signal);
    if (!isDropped()) return response;
    await response.body?.cancel();
    throw new SimulatedLoss("The response was lost (simulated).");
  };
}

/** A device's clock. */
export interface DeviceClock {
  /** Unix milliseconds by the device's clock. */
  now(): number;
  /** Resolves after this many milliseconds of the device's clock. Rejects when the signal aborts. */
  sleep(length: number, signal?: AbortSignal): Promise<void>;
}

/** The clock of a device. With `skew` it is off by up to ten minutes and runs up to 5 % too fast or too slow. */
export function createDeviceClock(faults: ReadonlySet<Fault>, random: Random): DeviceClock {
  const skewed = faults.has("skew");
  const start = Date.now();
  const offset = skewed ? (random.next() - 0.5) * 20 * 60_000 : 0;
  const rate = skewed ? 1 + (random.next() - 0.5) * 0.1 : 1;
  return {
    now: () => start + offset + (Date.now() - start) * rate,
    sleep: async (length, signal) => await sleep(length / rate, undefined, signal && { signal }),
  };
}
