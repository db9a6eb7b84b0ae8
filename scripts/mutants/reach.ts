import { posix } from "node:path";
import { parseSync } from "oxc-parser";
import { readManifest, type Source } from "../boundaries/source.ts";

/** Finds the tests of a file. */
export interface Reach {
  /**
   * The tests that import a file, directly or not: those of its folder first, then those of its package, among them those with its name,
   * then by the number of imports between.
   */
  testsOf(path: string): string[];
}

/** @param tests paths of the tests to choose from */
export function createReach(root: string, sources: readonly Source[], tests: ReadonlySet<string>): Reach {
  const importers = importersOf(root, sources);
  const texts = new Map(sources.filter(({ isTest }) => isTest).map(({ path, text }) => [path, spelled(path + text)]));
  return {
    testsOf: (path) => {
      const steps = distances(path, importers);
      // The folders and the file, without the package and `src`.
      const names = spelled(path.replace(/\.ts$/, "")).split("/").slice(3);
      const rank = (test: string): number => {
        if (posix.dirname(test) === posix.dirname(path)) return 0;
        const missing = names.filter((name) => texts.get(test)?.includes(name) !== true);
        return (samePackage(test, path) ? 1 : 10_000) + 100 * missing.length + (steps.get(test) ?? 0);
      };
      return [...steps.keys()].filter((one) => tests.has(one)).toSorted((a, b) => rank(a) - rank(b));
    },
  };
}

/** A text in which `sign-out` and `signOut` are the same. */
const spelled = (text: string): string => text.toLowerCase().replaceAll(/[-_]/g, "");

const samePackage = (one: string, other: string): boolean => one.split("/")[1] === other.split("/")[1];

/** The files that import each file for a value. */
function importersOf(root: string, sources: readonly Source[]): Map<string, string[]> {
  const resolve = createResolver(root, sources);
  const importers = new Map<string, string[]>();
  for (const { path, text } of sources)
    for (const specifier of valueImportsOf(path, text)) {
      const target = resolve(path, specifier);
      if (target !== null) importers.set(target, [...(importers.get(target) ?? []), path]);
    }
  return importers;
}

function valueImportsOf(path: string, text: string): string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(path, text).module;
  const isValue = ({ isType }: { readonly isType: boolean }): boolean => !isType;
  return [
    ...staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(isValue))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.filter(isValue).map((entry) => entry.moduleRequest?.value ?? "")),
    ...dynamicImports.map(({ moduleRequest }) => text.slice(moduleRequest.start + 1, moduleRequest.end - 1)),
  ];
}

/** Resolves a specifier to a path from the root, for files and packages of this repository. */
function createResolver(root: string, sources: readonly Source[]) {
  const entries = new Map<string, string>();
  for (const folder of new Set(sources.map((source) => source.package))) {
    const { name = "", exports = {} } = readManifest(root, folder) ?? {};
    for (const [entry, target] of Object.entries(exports)) {
      const file = typeof target === "string" ? target : (target["telex-source"] ?? "");
      entries.set(posix.join(name, entry), posix.join("packages", folder, file));
    }
  }
  return (from: string, specifier: string): string | null => {
    if (specifier.startsWith(".")) return posix.join(posix.dirname(from), specifier);
    if (specifier.startsWith("test-support/")) return `${specifier.replace("test-support", "tests/support")}.ts`;
    return entries.get(specifier) ?? null;
  };
}

/** The number of imports between a file and each one that reaches it. */
function distances(path: string, importers: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const steps = new Map([[path, 0]]);
  for (const [file, step] of steps)
    for (const importer of importers.get(file) ?? []) if (!steps.has(importer)) steps.set(importer, step + 1);
  return steps;
}
