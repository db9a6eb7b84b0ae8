import type { CallExpression, Expression, MemberExpression } from "oxc-parser";
import { type Finding, type Source, visit } from "./source.ts";

/** Folders whose schemas validate untrusted input: frames, bodies and events. */
const reading =
  /^packages\/(bot-onebot\/src\/(wire|link|implementation)|ws\/src\/(channels|connection|frames)|http\/src\/(exchange|openai|request))\//;
/** The contracts of operations. Only their `input` validates untrusted values. */
const contract = /^packages\/[\w-]+\/src\/(.*\/)?([\w-]+-)?contract\.ts$/;
/** The files that define bounded kinds of fields. */
const fields = /\/fields\.ts$/;

type Range = readonly [start: number, end: number];

const isWithin = (start: number, ranges: readonly Range[]): boolean =>
  ranges.some(([from, to]) => from <= start && start < to);

/** The values of `input` in a contract, and the constants of the file that they use. */
function inputsOf({ program }: Source): readonly Range[] {
  const inputs: Range[] = [];
  const names: (readonly [name: string, start: number])[] = [];
  const labels = new Set<number>();
  const constants = new Map<string, Range>();
  visit(program, {
    Property({ key, value, shorthand }) {
      if (key.type !== "Identifier") return;
      if (key.name === "input") inputs.push([value.start, value.end]);
      if (!shorthand) labels.add(key.start);
    },
    MemberExpression: ({ property }) => void labels.add(property.start),
    Identifier: ({ name, start }) => void names.push([name, start]),
    VariableDeclarator({ id, init }) {
      if (id.type === "Identifier" && init !== null) constants.set(id.name, [init.start, init.end]);
    },
  });
  // The list grows during the loop: a constant may use others.
  for (const input of inputs) {
    for (const [name, start] of names) {
      const used = isWithin(start, [input]) && !labels.has(start) ? constants.get(name) : undefined;
      if (used !== undefined && !inputs.includes(used)) inputs.push(used);
    }
  }
  return inputs;
}

/** The calls of a chain such as `z.string().min(1).max(9)`, the last one first. */
function chainOf(call: CallExpression): readonly (readonly [name: string, call: CallExpression])[] {
  const calls: [string, CallExpression][] = [];
  let current: Expression = call;
  while (current.type === "CallExpression" && current.callee.type === "MemberExpression") {
    const callee: MemberExpression = current.callee;
    calls.push([callee.property.type === "Identifier" ? callee.property.name : "", current]);
    current = callee.object;
  }
  return current.type === "Identifier" && current.name === "z" ? calls : [];
}

/** True for a check with an expression that matches only texts of a bounded length. */
function isFixed({ arguments: [first] }: CallExpression): boolean {
  if (first?.type !== "Literal" || !("regex" in first)) return false;
  const { pattern } = first.regex;
  return pattern.startsWith("^") && pattern.endsWith("$") && !/[*+]|\{\d+,\}/.test(pattern);
}

/** A refinement of a text counts as its bound. */
const isBound = ([name, call]: readonly [string, CallExpression]): boolean =>
  name === "refine" || (name === "regex" && isFixed(call));

/** The schemas without a bound, by their offset. */
function unboundedOf({ program }: Source): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  const bounded = new Set<number>();
  visit(program, {
    MemberExpression({ object, property, start }) {
      const isCoerce = object.type === "Identifier" && object.name === "z" && property.type === "Identifier";
      if (isCoerce && property.name === "coerce") {
        found.set(start, "z.coerce reads lists of any length as a text: say which types are taken");
      }
    },
    CallExpression(node) {
      const chain = chainOf(node);
      const [kind = "", { start } = node] = chain.at(-1) ?? [];
      if (kind === "array" || chain.some(([name]) => name === "array")) {
        found.set(start, "a list of any length is read: use list() of the fields of core");
      }
      if (kind !== "string" && kind !== "url") return;
      if (chain.some(isBound)) bounded.add(start);
      found.set(
        start,
        `z.${kind}() reads a text of any length, or throws for values that only have a length: use shortText() of core, or a kind of a fields.ts`,
      );
    },
  });
  for (const start of bounded) found.delete(start);
  return found;
}

/** Schemas of untrusted input must bound their lists and texts. */
export function checkBounds(sources: readonly Source[]): Finding[] {
  return sources.flatMap((source) => {
    const { path, isTest, lineOf } = source;
    const isContract = contract.test(path);
    if (isTest || fields.test(path) || (!isContract && !reading.test(path))) return [];
    const inputs = isContract ? inputsOf(source) : [];
    return [...unboundedOf(source)]
      .filter(([start]) => !isContract || isWithin(start, inputs))
      .map(([start, message]) => ({ path, line: lineOf(start), level: "error" as const, message }));
  });
}
