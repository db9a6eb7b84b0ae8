import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import { type Comment, type Program, parseSync, Visitor, type VisitorObject } from "oxc-parser";

/** One broken rule. */
export interface Finding {
  /** From the root of the tree, with forward slashes. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly level: "error";
  readonly message: string;
}

/** One specifier that a file imports or re-exports from, at its line. */
export interface Import {
  readonly specifier: string;
  readonly line: number;
}

/** One parsed TypeScript file. */
export interface Source {
  /** From the root of the tree, with forward slashes. */
  readonly path: string;
  /** The folder under `packages/`, or the name of a folder of tests at the root. */
  readonly package: string;
  /** The folder that relative imports must not leave. */
  readonly folder: string;
  /** True for `*.test.ts` and for everything under `test/` and in a folder of tests at the root. */
  readonly isTest: boolean;
  readonly text: string;
  readonly program: Program;
  readonly comments: readonly Comment[];
  readonly imports: readonly Import[];
  /** The line, from 1, of an offset into `text`. */
  readonly lineOf: (offset: number) => number;
}

/** Reads and parses the `.ts` and `.tsx` files under `packages/` and of the folders of tests, without `dist` and `node_modules`. */
export function readSources(root: string): Source[] {
  return globSync(["packages/*/{src,test}/**/*.{ts,tsx}", "tests/{crash,cluster,support}/**/*.ts"], {
    cwd: root,
    exclude: ["**/node_modules", "**/dist"],
  })
    .map((path) => path.split(sep).join(posix.sep))
    .toSorted()
    .map((path) => parse(path, readFileSync(join(root, path), "utf8")));
}

function parse(path: string, text: string): Source {
  const { program, comments, errors } = parseSync(path, text);
  const [first] = errors;
  if (first !== undefined) throw new SyntaxError(`${path}: ${first.message}`);
  const lineOf = lineIndex(text);
  const [top = "", second = "", third] = path.split("/");
  const isPackage = top === "packages";
  return {
    path,
    package: isPackage ? second : top,
    folder: isPackage ? `packages/${second}` : top,
    isTest: !isPackage || path.endsWith(".test.ts") || third === "test",
    text,
    program,
    comments,
    imports: importsOf(program, lineOf),
    lineOf,
  };
}

function importsOf(program: Program, lineOf: Source["lineOf"]): Import[] {
  const imports: Import[] = [];
  const add = (node: { value: unknown; start: number } | null): void => {
    if (typeof node?.value === "string") imports.push({ specifier: node.value, line: lineOf(node.start) });
  };
  visit(program, {
    ImportDeclaration: (node) => add(node.source),
    ExportNamedDeclaration: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node.source),
    ImportExpression: (node) => {
      if (node.source.type === "Literal") add(node.source);
    },
    TSImportType: (node) => add(node.source),
  });
  return imports;
}

/** Walks the whole tree of a file. */
export function visit(program: Program, visitor: VisitorObject): void {
  new Visitor(visitor).visit(program);
}

function lineIndex(text: string): (offset: number) => number {
  const starts = [0, ...[...text.matchAll(/\n/g)].map((match) => match.index + 1)];
  return (offset) => {
    const next = starts.findIndex((start) => start > offset);
    return next === -1 ? starts.length : next;
  };
}

/** The parts of a package.json that the rules read. */
export interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The package.json of `packages/<folder>`, or null if it does not exist. */
export function readManifest(root: string, folder: string): Manifest | null {
  const path = join(root, "packages", folder, "package.json");
  if (!existsSync(path)) return null;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- pnpm checks the shape of a package.json
  return JSON.parse(readFileSync(path, "utf8")) as Manifest;
}
