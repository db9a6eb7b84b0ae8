import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { difference } from "../../docs/test/compare.ts";
import { type Program, programsOf } from "../../docs/test/page.ts";
import type { Packed } from "./pack.ts";
import { report, run } from "./report.ts";

/** The first program of a README, and the packages that its reader installs for it. */
interface Example {
  readonly program: Program;
  readonly installed: readonly string[];
}

const installLine = /^npm install (?:-{1,2}[\w-]+ )*(@telex\/.*)$/m;

/** The first program of a README; null if it shows only commands. */
export function exampleOf(readme: string): Example | null {
  const [program] = programsOf(readme);
  if (program === undefined) return null;
  return { program, installed: installLine.exec(readme)?.[1]?.split(" ") ?? [] };
}

const imports = /^import [^"]*"(@[^/"]+\/[^/"]+|[^@./"][^/"]*)/gm;

/** Packages that the first program of a README imports, and that its reader has not installed. */
export function missingIn(readme: string): readonly string[] {
  const example = exampleOf(readme);
  if (example === null) return [];
  const imported = [...example.program.text.matchAll(imports)].map(([, name = ""]) => name);
  return imported.filter((name) => !name.startsWith("node:") && !example.installed.includes(name));
}

/**
 * Follows the README in an empty folder: installs the packages that it names, here from their tarballs, and runs its
 * first program. No package can be imported that the README does not name.
 */
async function tryReadme(root: string, scratch: string, packed: Packed, packages: readonly Packed[]): Promise<boolean> {
  const example = exampleOf(readFileSync(join(packed.unpacked, "README.md"), "utf8"));
  if (example === null) return true;
  const { program, installed } = example;
  const folder = join(scratch, `readme-${packed.manifest.name.replace("@telex/", "")}`);
  const tarballs = Object.fromEntries(packages.map(({ manifest, tarball }) => [manifest.name, `file:${tarball}`]));
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), "{}");
  writeFileSync(join(folder, "pnpm-workspace.yaml"), JSON.stringify({ packages: ["."], overrides: tarballs }));
  writeFileSync(join(folder, "main.mts"), program.text);
  const named = installed.map((name) => tarballs[name] ?? name);
  const install = ["run", "-s", "pnpm", "--", "--dir", folder, "add", "--prefer-offline", ...named];
  const label = `README of ${packed.manifest.name}, followed exactly`;
  const adding = await run(root, "npm", install);
  if (adding.status !== 0) return report(label, false, adding.output);
  const { status, output } = await run(folder, process.execPath, ["main.mts"]);
  const found = program.shown === null ? null : difference(program.shown, output);
  return report(label, status === 0 && found === null, found ?? output);
}

/** Tries the README of each package, a few simultaneously. */
export async function checkReadmes(root: string, scratch: string, packages: readonly Packed[]): Promise<boolean[]> {
  const waiting = [...packages];
  const results: boolean[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      results.push(await tryReadme(root, scratch, next, packages));
  };
  await Promise.all(Array.from({ length: 3 }, work));
  return results;
}
