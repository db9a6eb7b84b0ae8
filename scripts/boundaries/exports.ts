import type { Directive, Expression, Statement, TSTypeAnnotation } from "oxc-parser";
import type { Finding, Source } from "./source.ts";

/** Rule 5: no default exports, no `export *`, no state in modules. Tests and tool configuration are free. */
export function checkExports(sources: readonly Source[]): Finding[] {
  return sources
    .filter((source) => !source.isTest)
    .flatMap((source) =>
      source.program.body.flatMap((statement) => {
        const message = refusal(statement);
        return message === null
          ? []
          : [{ path: source.path, line: source.lineOf(statement.start), level: "error" as const, message }];
      }),
    );
}

function refusal(statement: Statement | Directive): string | null {
  switch (statement.type) {
    case "ExportDefaultDeclaration":
      return "no default exports: export it under its name";
    case "ExportAllDeclaration":
      return "no `export *`: list the names, adding one is a decision";
    case "ExportNamedDeclaration":
      return statement.declaration === null ? null : refusal(statement.declaration);
    case "VariableDeclaration":
      return refuseState(statement);
    default:
      return null;
  }
}

function refuseState(statement: Extract<Statement, { type: "VariableDeclaration" }>): string | null {
  if (statement.declare === true) return null;
  const advice = "two instances in one process must not share it: create it in a factory";
  if (statement.kind === "let" || statement.kind === "var") return `module-level \`${statement.kind}\`; ${advice}`;
  const mutable = statement.declarations.find(
    ({ id, init }) => init !== null && isEmptyContainer(init) && !isReadonly(id.typeAnnotation),
  );
  return mutable === undefined ? null : `module-level container that starts empty, so it is state; ${advice}`;
}

/** `readonly T[]`, `Readonly<T>`, `ReadonlyMap`, `ReadonlySet`. */
function isReadonly(annotation: TSTypeAnnotation | null | undefined): boolean {
  const type = annotation?.typeAnnotation;
  if (type?.type === "TSTypeOperator") return type.operator === "readonly";
  return (
    type?.type === "TSTypeReference" && type.typeName.type === "Identifier" && type.typeName.name.startsWith("Readonly")
  );
}

/** An empty container will be filled, so it is state; a container with content is a table. */
function isEmptyContainer(init: Expression): boolean {
  switch (init.type) {
    case "ArrayExpression":
      return init.elements.length === 0;
    case "ObjectExpression":
      return init.properties.length === 0;
    case "NewExpression":
      return (
        init.callee.type === "Identifier" && /^(Weak)?(Map|Set)$/.test(init.callee.name) && init.arguments.length === 0
      );
    default:
      return false;
  }
}
