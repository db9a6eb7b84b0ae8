import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { servers } from "../packages/create-telex/src/servers.ts";
import { namesForeignPackage } from "../scripts/packages/contents.ts";
import { makePages } from "../scripts/reference/pages.ts";
import { difference } from "./test/compare.ts";
import { isSuiteName } from "../scripts/suites.ts";
import { anchorsOf, commandsOf, linksOf, programsOf, quotesOf } from "./test/page.ts";
import { runAll, runProgram, startDemo } from "./test/run.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const oneLine = (code: string): string => code.replaceAll(/\s+/g, " ").trim();

const outside = [
  "README.md",
  "AGENTS.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "packages/README.md",
  "examples/README.md",
];
const readmes = globSync("packages/*/README.md", { cwd: root });
const exclude = ["**/node_modules/**", "**/.vitepress/**", "docs/source/**", "docs/README.md"];
const pages = [...outside, ...readmes, ...globSync("docs/**/*.md", { cwd: root, exclude })].toSorted();
const withCommands = pages.filter((path) => commandsOf(read(path)).length > 0);
const withPrograms = pages.filter((path) => programsOf(read(path)).length > 0);
const withQuotes = pages.filter((path) => quotesOf(read(path)).length > 0);

describe("a page", () => {
  it.concurrent.for(withCommands)("shows commands that answer as shown: %s", async (path, context) => {
    const commands = commandsOf(read(path));
    const results = await runAll(
      context,
      await startDemo(context),
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

  it.concurrent.for(withPrograms)("shows programs that print what is shown: %s", async (path, context) => {
    const wrong: string[] = [];
    for (const { text, shown } of programsOf(read(path))) {
      const { code, output } = await runProgram(context, text);
      const found = shown === null ? null : difference(shown, output);
      if (code !== 0 || found !== null) wrong.push(`${text}ends with ${code}: ${found ?? output}`);
    }
    expect(wrong).toEqual([]);
  });

  it.each(pages)("tells nobody to use the package telex of the registry, which is somebody else's: %s", (path) => {
    expect(namesForeignPackage(read(path))).toBe(false);
  });

  it.each(withQuotes)("quotes code as it is: %s", (path) => {
    const wrong = quotesOf(read(path)).filter(({ from, text }) => !oneLine(read(from)).includes(oneLine(text)));
    expect(wrong).toEqual([]);
  });

  it.each(pages)("links to what is there: %s", (path) => {
    const broken = linksOf(read(path)).filter((target) => {
      if (/^[a-z]+:/.test(target)) return false;
      const [file = "", anchor] = target.split("#");
      const there = file === "" ? path : posix.join(dirname(path), file);
      if (!existsSync(join(root, there))) return true;
      return anchor !== undefined && !anchorsOf(read(there)).has(anchor);
    });
    expect(broken).toEqual([]);
  });

  it.each(pages.filter((path) => path.startsWith("docs/") && path !== "docs/site/index.md"))(
    "is linked from another page: %s",
    (path) => {
      const linking = pages.filter((other) =>
        linksOf(read(other)).some((target) => posix.join(dirname(other), target.split("#")[0] ?? "") === path),
      );
      expect(linking.filter((other) => other !== path)).not.toEqual([]);
    },
  );

  it.each(pages)("names no path of the machine on which it was written: %s", (path) => {
    expect(read(path)).not.toMatch(/(^|[\s"'`(])\/(home|root|work|Users|tmp)\//m);
  });

  it.each(pages)("names files that there are: %s", (path) => {
    const named = [
      ...read(path).matchAll(/(?<=[\s`[])(?:packages|scripts|docs|examples|spec|bench)\/[\w./-]+\.(?:ts|json|md)\b/g),
    ];
    expect(named.map(([file]) => file).filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it.each(pages)("names scripts that there are: %s", (path) => {
    const manifest = z.object({ scripts: z.record(z.string(), z.string()).default({}) });
    const manifests = ["package.json", ...globSync("{docs,packages/*,examples/*}/package.json", { cwd: root })];
    const written = manifests.map((file) => manifest.parse(JSON.parse(read(file))).scripts);
    // Also those of the projects that create-telex makes.
    const made = Object.values(servers).map(({ scripts }) => scripts);
    const known = new Set([...written, ...made].flatMap((scripts) => Object.keys(scripts)));
    const named = [...read(path).matchAll(/\bnpm run (?:-s )?([\w:-]+)/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    const tested = [...read(path).matchAll(/\bnpm test -- ([a-z]\w+)(?![\w/.])/g)].map(([, name = ""]) => name);
    expect(tested.filter((name) => name !== "help" && !isSuiteName(name))).toEqual([]);
  });
});

it("has a reference that says what the contracts say; if not, run `npm run reference`", async () => {
  const made = await makePages((path) => Promise.resolve(read(path)));
  const stale = [...made].filter(([path, text]) => !existsSync(join(root, path)) || read(path) !== text);
  expect(stale.map(([path]) => path)).toEqual([]);
});
