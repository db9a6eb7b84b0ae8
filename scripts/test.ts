// `npm test -- [suite] [arguments of vitest]`: runs a suite of `suites.ts`, by default `node`. `npm test -- help` lists them.
import { spawnSync } from "node:child_process";
import { commandOf, isSuiteName, suites } from "./suites.ts";

const [first = "node", ...rest] = process.argv.slice(2);
if (first === "help") {
  for (const [name, { summary }] of Object.entries(suites)) console.log(`npm test -- ${name.padEnd(11)} ${summary}`);
} else {
  const [command, args] = isSuiteName(first)
    ? commandOf(suites[first], rest)
    : commandOf(suites.node, [first, ...rest]);
  process.exitCode = spawnSync(command, args, { stdio: "inherit" }).status ?? 1;
}
