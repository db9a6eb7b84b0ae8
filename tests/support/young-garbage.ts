import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects young garbage twice. Objects that survive both are old. */
function createCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collector: unknown = runInNewContext("gc");
  if (typeof collector !== "function") throw new Error("This runtime does not expose its garbage collector.");
  return () => {
    for (let time = 0; time < 2; time += 1) Reflect.apply(collector, undefined, [{ type: "minor" }]);
  };
}

/**
 * Bytes per call that a collection of young garbage leaves behind, and that only a full collection finds (decision record 0015). The
 * minimum of several rounds, because V8 compiles during some of them.
 * @param run makes this many calls
 */
export async function bytesLeft(calls: number, run: (calls: number) => unknown): Promise<number> {
  const collect = createCollector();
  const rounds: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    collect();
    const before = process.memoryUsage().heapUsed;
    await run(calls);
    collect();
    rounds.push((process.memoryUsage().heapUsed - before) / calls);
  }
  return Math.min(...rounds);
}
