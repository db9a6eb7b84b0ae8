/** Preloaded into a measured server: answers each message of its parent with the longest tick since the previous message. */
import { monitorEventLoopDelay } from "node:perf_hooks";

const turns = monitorEventLoopDelay({ samplePerIteration: true });
turns.enable();
process.on("message", () => {
  process.send?.(turns.max / 1e6);
  turns.reset();
});
