import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { Declaration, ExportNamedDeclaration, ModuleExportName, Program } from "oxc-parser";
import { parseSync } from "oxc-parser";
import { type Finding, readManifest, type Source, visit } from "./source.ts";

/** A name of a file that another file imports: `<path> <name>`; `<path> *` for all names. */
type Used = Set<string>;

/**
 * Rule 8: a name that no other file imports must not be exported. Tests, and the files in the `exports` of a package, are exempt.
 */
export function checkUnused(root: string, sources: readonly Source[]): Finding[] {
  const used: Used = new Set();
  for (const { path, program } of sources) noteImports(used, path, program);
  for (const path of otherFiles(root))
    noteImports(used, path, parseSync(path, readFileSync(join(root, path), "utf8")).program);
  const published = new Set(
    [...new Set(sources.map((source) => source.package))].flatMap((name) => entriesOf(root, name)),
  );
  return sources
    .filter(({ path, isTest }) => !isTest && !published.has(path) && !used.has(`${path} *`))
    .flatMap((source) => unusedIn(source, used));
}

/** Files that import from packages by path and are not checked themselves. */
const otherFiles = (root: string): string[] =>
  globSync(["packages/*/scripts/**/*.ts", "packages/*/*.ts", "{bench,scripts,docs}/**/*.ts", "*.ts"], {
    cwd: root,
    exclude: ["**/node_modules", "**/dist"],
  });

/** The sources that a package publishes. */
function entriesOf(root: string, folder: string): string[] {
  const targets = Object.values(readManifest(root, folder)?.exports ?? {});
  return targets.flatMap((target) => {
    const source = typeof target === "string" ? target : target["telex-source"];
    return source === undefined ? [] : [posix.join("packages", folder, source)];
  });
}

const nameOf = (name: ModuleExportName): string => (name.type === "Literal" ? name.value : name.name);

function noteImports(used: Used, path: string, program: Program): void {
  const note = (specifier: string, names: readonly string[]): void => {
    if (!specifier.startsWith(".")) return;
    const target = posix.join(posix.dirname(path), specifier);
    for (const name of names) used.add(`${target} ${name}`);
  };
  visit(program, {
    ImportDeclaration: ({ source, specifiers }) =>
      note(
        source.value,
        specifiers.map((one) => (one.type === "ImportSpecifier" ? nameOf(one.imported) : "*")),
      ),
    ExportNamedDeclaration: ({ source, specifiers }) => {
      if (source !== null)
        note(
          source.value,
          specifiers.map(({ local }) => nameOf(local)),
        );
    },
    ExportAllDeclaration: ({ source }) => note(source.value, ["*"]),
    ImportExpression: ({ source }) => {
      if (source.type === "Literal") note(String(source.value), ["*"]);
    },
    TSImportType: ({ source }) => note(source.value, ["*"]),
    // The argument may be a worker, or a file that a build replaces by a package.
    NewExpression: ({ callee, arguments: [first] }) => {
      if (callee.type !== "Identifier" || callee.name !== "URL" || first?.type !== "Literal") return;
      note(posix.join("./", String(first.value)).replace(/^(?!\.)/, "./"), ["*"]);
    },
  });
}

function unusedIn({ path, program, lineOf }: Source, used: Used): Finding[] {
  return program.body.flatMap((statement) => {
    if (statement.type !== "ExportNamedDeclaration") return [];
    const unused = namesOf(statement).filter((name) => !used.has(`${path} ${name}`));
    const line = lineOf(statement.start);
    return unused.map((name) => ({
      path,
      line,
      level: "error" as const,
      message: `nothing imports "${name}": do not export it`,
    }));
  });
}

const namesOf = ({ declaration, specifiers }: ExportNamedDeclaration): readonly string[] =>
  declaration === null ? specifiers.map(({ exported }) => nameOf(exported)) : namesIn(declaration);

function namesIn(declaration: Declaration): readonly string[] {
  if (declaration.type === "VariableDeclaration") {
    return declaration.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []));
  }
  if (!("id" in declaration) || declaration.id?.type !== "Identifier") return [];
  return [declaration.id.name];
}
