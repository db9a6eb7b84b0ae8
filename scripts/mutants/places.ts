import type { Expression, NumericLiteral } from "oxc-parser";
import { type Source, visit } from "../boundaries/source.ts";

/** The ways to change a program. */
export const kinds = [
  "comparison",
  "logic",
  "boolean",
  "number",
  "condition",
  "negation",
  "await",
  "statement",
] as const;

/** One change of a file. */
export interface Mutant {
  /** From the root of the tree, with forward slashes. */
  readonly path: string;
  readonly kind: (typeof kinds)[number];
  /** The source text that is replaced. */
  readonly text: string;
  readonly replacement: string;
  /** Source text around it, by which the place is found again after other lines or the file have moved. */
  readonly context: string;
  /** Offset of `text` in `context`. */
  readonly offset: number;
}

const opposite: Readonly<Record<string, string>> = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "&&": "||",
  "||": "&&",
};

/** Lines around a place that identify it. */
const around = 2;

/** Every mutant of a file, in the order of its text. */
export function mutantsOf({ path, program, text }: Source): Mutant[] {
  const found: (readonly [start: number, mutant: Mutant])[] = [];
  const types: (readonly [start: number, end: number])[] = [];

  const add = (kind: Mutant["kind"], start: number, end: number, replacement: string): void => {
    const [from, to] = linesAround(text, start, end);
    const context = text.slice(from, to);
    found.push([start, { path, kind, text: text.slice(start, end), replacement, context, offset: start - from }]);
  };
  const operator = (kind: Mutant["kind"], left: Expression, right: Expression, sign: string): void => {
    const start = text.indexOf(sign, left.end);
    const replacement = opposite[sign];
    if (replacement !== undefined && start < right.start) add(kind, start, start + sign.length, replacement);
  };
  const condition = ({ start, end }: Expression): void => add("condition", start, end, `!(${text.slice(start, end)})`);

  visit(program, {
    TSLiteralType: ({ start, end }) => void types.push([start, end]),
    BinaryExpression: ({ left, right, operator: sign }) => {
      operator("comparison", left, right, sign);
    },
    LogicalExpression: ({ left, right, operator: sign }) => operator("logic", left, right, sign),
    Literal: (node) => {
      if (typeof node.value === "boolean") add("boolean", node.start, node.end, String(!node.value));
      else if (isPlainNumber(node)) add("number", node.start, node.end, String(node.value + 1));
    },
    IfStatement: ({ test }) => condition(test),
    ConditionalExpression: ({ test }) => condition(test),
    UnaryExpression: ({ operator: sign, start, argument }) => {
      if (sign === "!") add("negation", start, argument.start, "");
    },
    AwaitExpression: ({ start, argument }) => add("await", start, argument.start, ""),
    ExpressionStatement: ({ start, end, expression }) => {
      const isDirective = expression.type === "Literal";
      const isSuper = expression.type === "CallExpression" && expression.callee.type === "Super";
      if (!isDirective && !isSuper) add("statement", start, end, ";");
    },
    ThrowStatement: ({ start, end }) => add("statement", start, end, ";"),
  });
  const isOfType = (at: number): boolean => types.some(([start, end]) => start <= at && at < end);
  return found
    .filter(([start]) => !isOfType(start))
    .toSorted(([one], [other]) => one - other)
    .map(([, mutant]) => mutant);
}

const isPlainNumber = (node: { readonly value: unknown }): node is NumericLiteral =>
  typeof node.value === "number" && Number.isFinite(node.value);

/** The start and end of the lines from two above to two below. */
function linesAround(text: string, start: number, end: number): [number, number] {
  let from = start;
  let to = end;
  for (let line = 0; line <= around; line += 1) {
    from = text.lastIndexOf("\n", from - 1);
    to = text.indexOf("\n", to + 1);
    if (from === -1) from = 0;
    if (to === -1) to = text.length;
  }
  return [from, to];
}

/** The text of the file with the mutant; null if its place is not there, or more than once. */
export function applyTo(source: string, { context, offset, text, replacement }: Mutant): string | null {
  const at = source.indexOf(context);
  if (at === -1 || source.includes(context, at + 1)) return null;
  return source.slice(0, at + offset) + replacement + source.slice(at + offset + text.length);
}
