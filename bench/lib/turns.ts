/** Loaded before a server under measurement: answers each message of its parent with the longest turn since the last one. */
import { monitorEventLoopDelay } from "node:perf_hooks";

const turns = monitorEventLoopDelay({ samplePerIteration: true });
turns.enable();
process.on("message", () => {
  process.send?.(turns.max / 1e6);
  turns.reset();
});
