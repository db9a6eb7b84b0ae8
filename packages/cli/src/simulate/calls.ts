import type { Random } from "@telex/conformance/testing";
import type { Client } from "@telex/http/client";
import { canPass, Refusal } from "../client/refusal.ts";
import type { Calls } from "../client/with-client.ts";
import { Failure } from "../errors/errors.ts";
import { type DeviceClock, SimulatedLoss } from "./faults.ts";

/**
 * Makes a call of a device, and repeats it while that may help.
 * @param signal ends the repeats
 * @throws Failure if the server rejects the call, or does not respond for half a minute
 */
export type DeviceCalls = <T>(
  work: (teleprinter: Client["teleprinter"]) => Promise<T>,
  signal?: AbortSignal,
) => Promise<T>;

/** Milliseconds from the first failure of a call until the device gives up. */
const patience = 30_000;
const firstPause = 100;
const longestPause = 5000;

const isSimulated = (error: unknown): boolean => error instanceof Failure && error.cause instanceof SimulatedLoss;

/** Repeats calls after growing pauses, and no sooner than the server asks for. Simulated losses never exhaust the patience. */
export const createDeviceCalls =
  (calls: Calls, clock: DeviceClock, random: Random): DeviceCalls =>
  async (work, signal) => {
    let end = Number.POSITIVE_INFINITY;
    for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
      try {
        return await calls(async ({ teleprinter }) => await work(teleprinter));
      } catch (error) {
        if (!canPass(error) || signal?.aborted === true || clock.now() >= end) throw error;
        if (!isSimulated(error)) end = Math.min(end, clock.now() + patience);
        const wanted = error instanceof Refusal ? (error.retryAfter ?? 0) : 0;
        await clock.sleep(Math.max(wanted, pause * (0.5 + random.next())), signal);
      }
    }
  };
