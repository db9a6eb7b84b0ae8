// Everything that must hold before a change is merged. `.ci/run` starts this after the set-up. The last line is always `N passed, N failed`,
// summed over the test runs.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDebian, type Program } from "./ci/debian.ts";
import { makeQuickFolder } from "./ci/quick.ts";
import { readCounts, readFailures } from "./ci/report.ts";
import { createShell } from "./ci/shell.ts";
import { commandOf, type Suite, type SuiteName, suites } from "./suites.ts";

/** A test run. */
interface Step {
  readonly suite: SuiteName;
  /** Programs without which the run fails. Of an inner list, any one is enough. */
  readonly needs?: readonly (Program | readonly Program[])[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs that need only Node. Everything else is installed while they run. */
const first: readonly Step[] = [{ suite: "node" }, { suite: "long" }, { suite: "oldest" }];

/** Runs that mostly wait for servers, timers and disks. The checks run in parallel. Two such runs in parallel would exceed the time limits of their tests. */
const second: readonly Step[] = [
  { suite: "crash", needs: ["strace"] },
  { suite: "mongo", needs: ["python3", "venv"], env: { TELEX_TEST_EVERY: "5" } },
  { suite: "nats", needs: ["go"] },
  { suite: "cluster", needs: ["python3", "venv", "go", "nginx"], env: { TELEX_TEST_EVERY: "6" } },
  {
    suite: "foreign",
    needs: [
      "python3",
      "venv",
      "go",
      "prometheus",
      "prometheus-alertmanager",
      "nginx",
      "caddy",
      "systemd-analyze",
      "redis-server",
      "age",
      "mosquitto",
      "mosquitto_pub",
      "g++",
      "curl",
    ],
  },
];

/** Runs that need all processors. The headless browser needs half of the CPU time, but some systems lack it. */
const third: readonly Step[] = [
  { suite: "browser", needs: [["chromium-headless-shell", "chromium"]] },
  { suite: "docs", needs: ["curl"] },
  { suite: "users", needs: ["curl", "caddy", ["chromium-headless-shell", "chromium"]] },
];

/** Checks that pass by exiting with 0, by name. */
const checks: Readonly<Record<string, readonly string[]>> = {
  lint: ["npm", "run", "-s", "lint"],
  format: ["npm", "run", "-s", "format", "--", "--check"],
  types: ["tsc", "-b"],
  boundaries: ["npm", "run", "-s", "boundaries"],
  shape: ["npm", "run", "-s", "shape"],
  packages: ["node", "scripts/test.ts", "packages"],
  site: ["npm", "run", "-s", "site"],
  lockfile: ["npm", "run", "-s", "pnpm", "--", "install", "--frozen-lockfile", "--no-trust-lockfile"],
};

/** Seconds that a check may take at a low priority. */
const checkLimit = 900;

/** Seconds after which a test run counts as hung. */
const stepLimit = 2_400;

// A fixed seed, so that a failure comes from the change and not from other random inputs. apt-get must not ask questions.
Object.assign(process.env, {
  TELEX_TEST_SEED: "1",
  TELEX_CRASH_SEED: "1",
  TELEX_CLUSTER_SEED: "1",
  DEBIAN_FRONTEND: "noninteractive",
  PATH: `${process.env["PATH"] ?? ""}:/usr/local/go/bin`,
});

const results = mkdtempSync(join(tmpdir(), "telex-ci-"));
const shell = createShell();
const debian = createDebian(shell, join(results, "apt.log"));
const total = { passed: 0, failed: 0 };
const broken: string[] = [];
const failures: string[] = [];
const times: (readonly [seconds: number, step: string])[] = [];

const quick = makeQuickFolder(results);

const logOf = (name: string): string => join(results, `${name}.log`);

/** Several runs write at the same time, so each log is printed when its run has ended. */
const printLog = (name: string): void => console.log(`\n== ${name}\n${readFileSync(logOf(name), "utf8")}`);

async function timed<T>(name: string, run: () => Promise<T>): Promise<T> {
  const start = performance.now();
  try {
    return await run();
  } finally {
    times.push([Math.round((performance.now() - start) / 1000), name]);
  }
}

async function hasAny(programs: Program | readonly Program[]): Promise<boolean> {
  for (const program of [programs].flat()) if (await debian.need(program)) return true;
  return false;
}

async function runStep({ suite, needs = [], env = {} }: Step): Promise<void> {
  for (const program of needs)
    if (!(await hasAny(program))) return void broken.push(`${suite}: apt-get could not install ${String(program)}`);
  const report = join(results, `${suite}.json`);
  const options = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`, "--allowOnly=false"];
  const { isQuick = false }: Suite = suites[suite];
  const [command, args] = commandOf(suites[suite], options);
  const [log, folder] = [logOf(suite), isQuick ? { TMPDIR: quick } : {}];
  const isGreen = await shell.run([command, ...args], { env: { ...env, ...folder }, log, limit: stepLimit });
  printLog(suite);
  const { passed, failed } = readCounts(report);
  total.passed += passed;
  total.failed += failed;
  failures.push(...readFailures(report));
  if (!isGreen || failed > 0) broken.push(suite);
}

async function runSteps(steps: readonly Step[]): Promise<void> {
  for (const step of steps) await timed(step.suite, () => runStep(step));
}

/** Installs and builds in advance. The step that needs a missing program tries again, and fails if it cannot be installed. */
async function fetchPrograms(): Promise<void> {
  for (const program of [first, second, third].flat().flatMap(({ needs = [] }) => needs)) await hasAny(program);
  const log = join(results, "fetch.log");
  const isDone = await shell.run(
    ["nice", "-n", "10", "node", "--conditions=telex-source", "scripts/fetch-for-tests.ts"],
    {
      log,
      limit: checkLimit,
    },
  );
  if (!isDone) console.log(readFileSync(log, "utf8"));
}

/** Runs the checks one after another at a low priority. Returns a function that prints their output. */
async function runChecks(): Promise<() => void> {
  const passed = new Set<string>();
  for (const [name, command] of Object.entries(checks)) {
    const run = () => shell.run(["nice", "-n", "10", ...command], { log: logOf(name), limit: checkLimit });
    if (await timed(`${name}, beside tests`, run)) passed.add(name);
  }
  return () => {
    for (const name of Object.keys(checks)) {
      printLog(name);
      if (!passed.has(name)) broken.push(name);
    }
  };
}

function finish(): void {
  shell.killAll();
  for (const folder of [results, quick]) rmSync(folder, { recursive: true, force: true });
  console.log("\nwall time of each step:");
  for (const [seconds, step] of times.toSorted(([one], [other]) => other - one)) console.log(`${seconds} s  ${step}`);
  // Of a long log, often only the end is kept.
  for (const failure of failures) console.log(`\n${failure}`);
  if (broken.length > 0) console.log(`\nfailed: ${broken.join(", ")}`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exitCode = broken.length === 0 && total.failed === 0 ? 0 : 1;
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    broken.push(signal);
    finish();
    process.exit();
  });
}

try {
  await Promise.all([runSteps(first), fetchPrograms()]);
  const [print] = await Promise.all([runChecks(), runSteps(second)]);
  print();
  await runSteps(third);
} finally {
  finish();
}
