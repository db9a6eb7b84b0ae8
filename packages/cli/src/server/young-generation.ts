import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** Bytes of both halves of the young generation. By default, V8 lets it grow to twice that size. */
const largest = 16 * 2 ** 20;

const sizeOf = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space")?.space_size ?? largest;

/**
 * Lets the young generation of V8 grow under load, which `bin/telex.cjs` prevents while the program loads. A small one is collected so
 * often that objects in use move to the old generation. V8 halves it again when the process is idle.
 */
export function growYoungGeneration(): void {
  let grows = false;
  const adjust = (): void => {
    const mayGrow = sizeOf() < largest;
    if (mayGrow !== grows) setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
    grows = mayGrow;
  };
  adjust();
  new PerformanceObserver(adjust).observe({ entryTypes: ["gc"] });
}
