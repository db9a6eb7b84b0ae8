import { posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { styleText } from "node:util";
import type { ArrowFunctionExpression, Function as FunctionNode } from "oxc-parser";
import { arrowsOf, betweenRooms, capabilityArrows, circlesOf } from "./boundaries/graph.ts";
import { readSources, type Source, visit } from "./boundaries/source.ts";
import { wideSpreadsOf } from "./boundaries/spreads.ts";

/**
 * The shape of a package: how long its functions and files are, and where its types are not exact. Tests do not count; the conformance
 * suites, which are published, do.
 */
export interface Shape {
  readonly package: string;
  readonly files: number;
  /** Lines of a file: the median, the 90th percentile, the longest. */
  readonly fileLines: readonly [number, number, number];
  readonly functions: number;
  /** Lines of a function with a body in braces, from its first to its last. An arrow that is one expression does not count. */
  readonly functionLines: readonly [number, number, number];
  /** Files over 300 lines. */
  readonly longFiles: readonly string[];
  /** The number of suppressed assertions, `any`, and non-null assertions. */
  readonly holes: number;
}

const longFile = 300;

/** The value below which this share (0 to 1) of the sorted numbers lies; 0 if there are no numbers. */
const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

const spread = (numbers: readonly number[]): [number, number, number] => {
  const sorted = numbers.toSorted((a, b) => a - b);
  return [percentile(sorted, 0.5), percentile(sorted, 0.9), sorted.at(-1) ?? 0];
};

const linesOf = ({ lineOf, text }: Source): number => lineOf(text.trimEnd().length);

function functionLinesOf({ program, lineOf }: Source): number[] {
  const lines: number[] = [];
  const measure = ({ body, start, end }: FunctionNode | ArrowFunctionExpression): void => {
    if (body?.type === "BlockStatement") lines.push(lineOf(end) - lineOf(start) + 1);
  };
  visit(program, {
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  });
  return lines;
}

function holesOf({ program, comments }: Source): number {
  let holes = comments.filter(({ value }) => /oxlint-disable.*(?:assertion|any)|@ts-/.test(value)).length;
  const count = (): void => {
    holes += 1;
  };
  visit(program, { TSAnyKeyword: count, TSNonNullExpression: count });
  return holes;
}

function shapeOf(name: string, sources: readonly Source[]): Shape {
  const functions = sources.flatMap(functionLinesOf);
  return {
    package: name,
    files: sources.length,
    fileLines: spread(sources.map(linesOf)),
    functions: functions.length,
    functionLines: spread(functions),
    longFiles: sources.filter((source) => linesOf(source) > longFile).map(({ path }) => path),
    holes: sources.reduce((sum, source) => sum + holesOf(source), 0),
  };
}

/** The shape of every package below `root`, and of all together. */
export function measureShape(root: string): Shape[] {
  const sources = readSources(root).filter(({ isTest }) => !isTest);
  const names = [...new Set(sources.map((source) => source.package))];
  return [
    ...names.map((name) =>
      shapeOf(
        name,
        sources.filter((source) => source.package === name),
      ),
    ),
    shapeOf("all", sources),
  ];
}

/** A figure of all packages. */
export interface Meter {
  readonly name: string;
  readonly value: number;
  /** A greater figure fails. */
  readonly goal: number;
  /** Where the figure comes from, one place in each line. */
  readonly places: readonly string[];
}

/** The number of files directly in each folder, the largest folder first. */
function folderSizes(sources: readonly Source[]): (readonly [string, number])[] {
  const sizes = new Map<string, number>();
  for (const { path } of sources) sizes.set(posix.dirname(path), (sizes.get(posix.dirname(path)) ?? 0) + 1);
  return [...sizes].toSorted(([, a], [, b]) => b - a);
}

const whatComments = ({ path, comments, lineOf }: Source): string[] =>
  comments.filter(({ value }) => /^[*\s]*What\b/.test(value)).map(({ start }) => `${path}:${lineOf(start)}`);

const inCore = ({ path }: Source): boolean => path.startsWith("packages/core/src/");

function sizeMeters(sources: readonly Source[]): Meter[] {
  const { functionLines, fileLines, longFiles } = shapeOf("all", sources);
  const folders = folderSizes(sources);
  const coreLines = sources.filter(inCore).reduce((sum, source) => sum + linesOf(source), 0);
  const what = sources.flatMap(whatComments);
  const row = (name: string, value: number, goal: number, places: readonly string[] = []): Meter => ({
    name,
    value,
    goal,
    places,
  });
  return [
    row("lines of a function, p50", functionLines[0], 6),
    row("lines of a function, p90", functionLines[1], 16),
    row("lines of a file, p90", fileLines[1], 150),
    row("lines of the longest file", fileLines[2], longFile, longFiles),
    row(
      "files of the largest folder",
      folders[0]?.[1] ?? 0,
      25,
      folders.slice(0, 5).map(([path, size]) => `${path}: ${size}`),
    ),
    row("lines of core", coreLines, 22_000),
    row('comments that begin with "What"', what.length, 0, what),
  ];
}

function arrowMeters(sources: readonly Source[]): Meter[] {
  const arrows = arrowsOf(sources);
  const folders = circlesOf(betweenRooms(arrows)).map((names) => names.join(" "));
  const files = circlesOf(arrows).map((names) => names.join(" "));
  const between = capabilityArrows(arrows, sources).map(({ from, to, line }) => `${from}:${line} ${to}`);
  const spreads = wideSpreadsOf(sources).map(({ path, line, name }) => `${path}:${line} ...${name}`);
  return [
    { name: "circles of folders", value: folders.length, goal: 0, places: folders },
    { name: "circles of files", value: files.length, goal: 0, places: files },
    { name: "imports between capabilities", value: between.length, goal: 45, places: between },
    { name: "wide spreads", value: spreads.length, goal: 20, places: spreads },
  ];
}

/** The figures of the whole tree at `root`, each with its goal. */
export function measureWhole(root: string): Meter[] {
  const sources = readSources(root).filter(({ isTest }) => !isTest);
  return [...sizeMeters(sources), ...arrowMeters(sources)];
}

const heading = ["package", "files", "p50", "p90", "max", "functions", "p50", "p90", "max", "> 300", "holes"];

const cells = (shape: Shape): string[] =>
  [
    shape.package,
    shape.files,
    ...shape.fileLines,
    shape.functions,
    ...shape.functionLines,
    shape.longFiles.length,
    shape.holes,
  ].map(String);

const row = ([name = "", ...figures]: readonly string[]): string =>
  name.padEnd(16) + figures.map((figure) => figure.padStart(10)).join("");

function showMeters(meters: readonly Meter[], details: boolean): boolean {
  for (const { name, value, goal, places } of meters) {
    console.log(`${name.padEnd(34)}${String(value).padStart(8)}  goal ${goal}${value > goal ? "  too high" : ""}`);
    if (details && value > goal) for (const place of places) console.log(`  ${place}`);
  }
  return meters.every(({ value, goal }) => value <= goal);
}

/** `npm run shape [-- <root>] [-- --places]`: `--places` lists the places behind each figure above its goal. */
function main(args: readonly string[]): number {
  const given = args.find((arg) => !arg.startsWith("--"));
  const root = resolve(given ?? fileURLToPath(new URL("..", import.meta.url)));
  console.log(styleText("bold", row(heading)));
  for (const shape of measureShape(root)) console.log(row(cells(shape)));
  console.log();
  return showMeters(measureWhole(root), args.includes("--places")) ? 0 : 1;
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2));
