import { posix } from "node:path";
import type { Directive, ModuleExportName, Statement, TSSignature } from "oxc-parser";
import { type Finding, readManifest, type Source, visit } from "./source.ts";

/** Interfaces that plug-ins implement, in addition to those called `...Store`. */
const ports: readonly string[] = [
  "AvatarSource",
  "Gateway",
  "Bus",
  "ChatModel",
  "Clock",
  "Logger",
  "Storage",
  "TokenVerifier",
];

/** Rule 7: a doc comment on every name that an entry point exports, and on every member of a store contract or port. */
export function checkDocs(root: string, sources: readonly Source[]): Finding[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const entries = [...new Set(sources.map((source) => source.package))].flatMap((folder) => entryPoints(root, folder));
  const found = new Map<string, Finding>();
  for (const entry of entries) {
    const source = byPath.get(entry);
    for (const missing of source === undefined ? [] : undocumentedExports(source, byPath)) {
      found.set(`${missing.path}:${missing.line}:${missing.message}`, missing);
    }
  }
  return [...found.values(), ...sources.filter((source) => !source.isTest).flatMap(undocumentedMembers)];
}

function entryPoints(root: string, folder: string): string[] {
  const targets = Object.values(readManifest(root, folder)?.exports ?? {});
  const files = targets.flatMap((target) => (typeof target === "string" ? [] : [target["telex-source"] ?? ""]));
  return files.filter((file) => file !== "").map((file) => posix.join("packages", folder, file));
}

function undocumentedExports(source: Source, byPath: ReadonlyMap<string, Source>): Finding[] {
  return exportedNames(source).flatMap((name) => {
    const declared = declarationOf(name, source, byPath);
    if (declared === null || hasDocComment(declared.source, declared.start)) return [];
    return [finding(declared.source, declared.start, `"${name}" is exported by ${source.path} and has no doc comment`)];
  });
}

function finding(source: Source, offset: number, message: string): Finding {
  return { path: source.path, line: source.lineOf(offset), level: "error", message };
}

interface Declared {
  readonly source: Source;
  readonly start: number;
}

function exportedNames(source: Source): string[] {
  return source.program.body.flatMap((statement) => {
    if (statement.type !== "ExportNamedDeclaration") return [];
    const specified = statement.specifiers.map(({ exported }) => nameOf(exported));
    return statement.declaration === null ? specified : [...specified, ...declaredNames(statement.declaration)];
  });
}

const nameOf = (name: ModuleExportName): string => (name.type === "Literal" ? name.value : name.name);

function declaredNames(statement: Statement | Directive): string[] {
  if (statement.type === "VariableDeclaration") {
    return statement.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []));
  }
  return "id" in statement && statement.id?.type === "Identifier" ? [statement.id.name] : [];
}

/** The declaration of an exported name, followed through re-exports inside the tree; null if it is declared elsewhere. */
function declarationOf(name: string, source: Source, byPath: ReadonlyMap<string, Source>): Declared | null {
  for (const statement of source.program.body) {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declaration !== null && declaredNames(declaration).includes(name)) return { source, start: statement.start };
  }
  const origin = importedFrom(name, source);
  const target = origin && byPath.get(posix.join(posix.dirname(source.path), origin.specifier));
  return origin && target ? declarationOf(origin.name, target, byPath) : null;
}

function importedFrom(name: string, source: Source): { readonly specifier: string; readonly name: string } | null {
  for (const statement of source.program.body) {
    if (statement.type === "ExportNamedDeclaration" && statement.source !== null) {
      const match = statement.specifiers.find(({ exported }) => nameOf(exported) === name);
      if (match !== undefined) return { specifier: statement.source.value, name: nameOf(match.local) };
    }
    if (statement.type === "ImportDeclaration") {
      const match = statement.specifiers.find(({ local }) => local.name === name);
      if (match?.type === "ImportSpecifier") return { specifier: statement.source.value, name: nameOf(match.imported) };
    }
  }
  return null;
}

function undocumentedMembers(source: Source): Finding[] {
  const findings: Finding[] = [];
  visit(source.program, {
    TSInterfaceDeclaration: ({ id, body }) => {
      if (!id.name.endsWith("Store") && !ports.includes(id.name)) return;
      for (const member of body.body.filter(({ start }) => !hasDocComment(source, start))) {
        const message = `"${id.name}.${memberName(member)}" is implemented by others and has no doc comment`;
        findings.push(finding(source, member.start, message));
      }
    },
  });
  return findings;
}

function memberName(member: TSSignature): string {
  return "key" in member && member.key.type === "Identifier" ? member.key.name : member.type;
}

function hasDocComment(source: Source, start: number): boolean {
  return source.comments.some(
    ({ type, value, end }) =>
      type === "Block" && value.startsWith("*") && end <= start && source.text.slice(end, start).trim() === "",
  );
}
