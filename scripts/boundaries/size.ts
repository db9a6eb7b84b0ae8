import type { ArrowFunctionExpression, Function as FunctionNode } from "oxc-parser";
import { type Finding, type Source, visit } from "./source.ts";

/** Lines of a function from which a warning is shown; the linter fails at 60. */
const functionWarning = 40;
/** Lines of a file from which a warning is shown; the linter fails at 400. */
const fileWarning = 200;

/** Rule 6, as far as the linter cannot check it: warnings about size, and suppressions without a reason. */
export function checkSize(sources: readonly Source[]): Finding[] {
  return sources.flatMap((source) => [...suppressions(source), ...(source.isTest ? [] : sizes(source))]);
}

function sizes(source: Source): Finding[] {
  const findings: Finding[] = [];
  const warn = (line: number, message: string): void => {
    findings.push({ path: source.path, line, level: "warning", message });
  };
  const lines = source.lineOf(source.text.trimEnd().length);
  if (lines > fileWarning) warn(1, `file of ${lines} lines; aim for fewer than ${fileWarning}`);
  const measure = (node: FunctionNode | ArrowFunctionExpression): void => {
    const line = source.lineOf(node.start);
    const length = source.lineOf(node.end) - line + 1;
    if (length > functionWarning) warn(line, `function of ${length} lines; aim for fewer than ${functionWarning}`);
  };
  visit(source.program, {
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  });
  return findings;
}

/** `oxlint-disable-next-line rule -- reason` and `@ts-expect-error: reason` are allowed; without the reason they fail. */
function suppressions(source: Source): Finding[] {
  return source.comments
    .filter(({ value }) => isSuppression(value) && !hasReason(value))
    .map(({ start }) => ({
      path: source.path,
      line: source.lineOf(start),
      level: "error",
      message:
        "a suppression gives its reason: `oxlint-disable-next-line <rule> -- <reason>`, `@ts-expect-error: <reason>`",
    }));
}

const isSuppression = (comment: string): boolean =>
  /^\s*(?:(?:oxlint|eslint)-disable|@ts-(?:ignore|expect-error|nocheck))/.test(comment);

const hasReason = (comment: string): boolean => /--\s*\S|@ts-expect-error:?\s+\S/.test(comment);
