import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { z } from "zod";
import { makeQuickFolder } from "../ci/quick.ts";
import { readFailedFiles } from "../ci/report.ts";
import { createShell } from "../ci/shell.ts";
import { commandOf, onlyNode } from "../suites.ts";

/** Milliseconds for one test, on a busy machine. */
const testTime = 30_000;

/** How a test run with a mutant ended: with the first file that failed, with none, or when its time was over. */
export type Run = { readonly failed: string } | "passed" | "late";

/** A copy of a commit in its own folder. */
export type Tree = ReturnType<typeof checkOut>;

/** Checks out a commit of this repository into a new folder, installs and builds it. */
export function checkOut(commit: string) {
  const folder = mkdtempSync(join(tmpdir(), "telex-mutants-"));
  const root = join(folder, "tree");
  const quick = makeQuickFolder(folder);
  const report = join(folder, "report.json");
  const log = join(folder, "log");
  const shell = createShell();
  const env = {
    TMPDIR: quick,
    TELEX_TEST_SEED: "1",
    PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"] ?? ""}`,
  };
  execFileSync("git", ["worktree", "add", "--detach", root, commit], { stdio: "ignore" });
  for (const step of ["setup", "build"]) execFileSync("npm", ["run", "-s", step], { cwd: root, stdio: "inherit" });

  const vitest = (...args: readonly string[]): string[] => {
    const [, command] = commandOf({ summary: "", vitest: onlyNode }, args);
    return ["node", ...command];
  };

  return {
    root,

    /** The tests that need only Node, relative to the root. */
    listTests: async (): Promise<string[]> => {
      const list = join(folder, "list.json");
      const args = vitest("--filesOnly", `--json=${list}`).map((one) => (one === "run" ? "list" : one));
      await shell.run(args, { cwd: root, env, log });
      const files = z.array(z.object({ file: z.string() })).parse(JSON.parse(readFileSync(list, "utf8")));
      return files.map(({ file }) => relative(root, file));
    },

    /** Builds the command, which many tests run. False if that fails. */
    bundle: (): Promise<boolean> =>
      shell.run(["npm", "run", "-s", "build", "--prefix", "packages/cli"], { cwd: root, env, log }),

    /** Runs tests until one fails, at most for `seconds`. */
    run: async (files: readonly string[], seconds: number): Promise<Run> => {
      rmSync(report, { force: true });
      const options = ["--bail=1", `--testTimeout=${testTime}`, "--reporter=json", `--outputFile.json=${report}`];
      const isGreen = await shell.run(vitest(...files, ...options), { cwd: root, env, log, limit: seconds });
      const [failed] = readFailedFiles(report);
      if (failed !== undefined) return { failed: relative(root, failed) };
      return isGreen ? "passed" : "late";
    },

    /** Replaces a file while `run` runs. */
    withFile: async <Result>(path: string, text: string, run: () => Promise<Result>): Promise<Result> => {
      const file = join(root, path);
      const original = readFileSync(file, "utf8");
      writeFileSync(file, text);
      try {
        return await run();
      } finally {
        writeFileSync(file, original);
      }
    },

    remove: (): void => {
      shell.killAll();
      execFileSync("git", ["worktree", "remove", "--force", root]);
      for (const one of [folder, quick]) rmSync(one, { recursive: true, force: true });
    },
  };
}
