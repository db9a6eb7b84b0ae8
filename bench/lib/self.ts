import { monitorEventLoopDelay } from "node:perf_hooks";
import { cpuOf, type Measured, memoryOf } from "./process.ts";

/** This process, for a program that measures itself. */
export function createSelf(): Measured {
  const ticks = monitorEventLoopDelay({ samplePerIteration: true });
  ticks.enable();
  return {
    cpu: () => cpuOf(process.pid),
    memory: () => memoryOf(process.pid),
    longestTurn() {
      const longest = ticks.max / 1e6;
      ticks.reset();
      return Promise.resolve(longest);
    },
  };
}
