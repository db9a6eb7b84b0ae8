import { setFlagsFromString } from "node:v8";

/** TurboFan, which optimizes the code that runs most. */
const last = ["opt"];

/** TurboFan with Maglev, which optimizes earlier. Node 22 turns Maglev off. */
const both = Number(process.versions.node.split(".")[0]) < 24 ? last : [...last, "maglev"];

const chosenFlags = /jitless|lite[-_]mode|opt\b|turbofan|maglev/;

/** True if the operator has chosen the compilers of V8: with `--jitless`, one that is turned on ends the process. */
const isChosen = (): boolean => chosenFlags.test([process.env["NODE_OPTIONS"], ...process.execArgv].join(" "));

function set(prefix: "--" | "--no-", compilers: readonly string[]): void {
  if (!isChosen()) for (const name of compilers) setFlagsFromString(prefix + name);
}

/**
 * Keeps V8 from optimizing while the program loads. The code of its compilers takes about 10 MiB of memory once one of them runs, and the
 * functions that run often during the start are not those that run often in a server.
 */
export const postponeOptimizing = (): void => set("--no-", both);

/**
 * Ends {@link postponeOptimizing}.
 * @param memory with `small`, without Maglev, whose work and code take about 17 MiB while 1,000 devices connect
 */
export const beginOptimizing = (memory: "normal" | "small"): void => set("--", memory === "small" ? last : both);
