import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { styleText } from "node:util";
import type { ArrowFunctionExpression, Function as FunctionNode } from "oxc-parser";
import { readSources, type Source, visit } from "./boundaries/source.ts";

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
  /** Suppressed assertions, `any`, and non-null assertions. */
  readonly holes: number;
}

const longFile = 300;

/** The value below which this share (0 to 1) of the sorted numbers lies; 0 where there are none. */
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

if (import.meta.main) {
  const root = resolve(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)));
  const shapes = measureShape(root);
  console.log(styleText("bold", row(heading)));
  for (const shape of shapes) console.log(row(cells(shape)));
  for (const path of shapes.at(-1)?.longFiles ?? []) console.log(`${path}: more than ${longFile} lines`);
}
