import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { makePages } from "../scripts/reference/pages.ts";
import { difference } from "./test/compare.ts";
import { anchorsOf, commandsOf, linksOf, quotesOf } from "./test/page.ts";
import { runAll, startDemo } from "./test/run.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const inRoot = ["README.md", "AGENTS.md", "CONTRIBUTING.md", "SECURITY.md"];
const oneLine = (code: string): string => code.replaceAll(/\s+/g, " ").trim();
const pages = [...inRoot, ...globSync("docs/**/*.md", { cwd: root })].toSorted();

describe.each(pages)("%s", (path) => {
  const page = read(path);
  const commands = commandsOf(page);

  it.runIf(commands.length > 0)("shows commands that answer as shown", async () => {
    const results = await runAll(
      await startDemo(),
      commands.map(({ text }) => text),
    );
    const wrong = commands.flatMap(({ text, fails, shown }, index) => {
      const { code, output } = results[index] ?? { code: Number.NaN, output: "" };
      if ((code === 0) === fails) return [`${text}ends with ${code}:\n${output}`];
      const found = shown === null ? null : difference(shown, output);
      return found === null ? [] : [`${text}${found}`];
    });
    expect(wrong).toEqual([]);
  });

  it("links to what is there", () => {
    const broken = linksOf(page).filter((target) => {
      if (/^[a-z]+:/.test(target)) return false;
      const [file = "", anchor] = target.split("#");
      const there = file === "" ? path : posix.join(dirname(path), file);
      if (!existsSync(join(root, there))) return true;
      return anchor !== undefined && !anchorsOf(read(there)).has(anchor);
    });
    expect(broken).toEqual([]);
  });

  it.runIf(quotesOf(page).length > 0)("quotes code as it is", () => {
    const wrong = quotesOf(page).filter(({ from, text }) => !oneLine(read(from)).includes(oneLine(text)));
    expect(wrong).toEqual([]);
  });

  it("names no path of the machine on which it was written", () => {
    expect(page).not.toMatch(/(^|[\s"'`(])\/(home|root|work|Users|tmp)\//m);
  });
});

it("has a reference that says what the contracts say", async () => {
  const made = await makePages((path) => Promise.resolve(read(path)));
  const stale = [...made].filter(([path, text]) => !existsSync(join(root, path)) || read(path) !== text);
  expect(stale.map(([path]) => path)).toEqual([]);
});
