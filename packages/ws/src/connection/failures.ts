import type { ErrorCode, TelexError } from "@telex/core";
import { describeError, describeIssue, type Locale } from "@telex/core/transport";
import { failureFrame, type Identifier } from "./frames.ts";

/** Failures that the interface reports in the frame of the result, with their codes (interface 7.2). */
const resultCodes: Partial<Readonly<Record<ErrorCode, number>>> = { bot_offline: 300 };

/** Maximum wrong fields that a failure lists, because one frame may contain very many. */
const toldIssues = 3;

function textOf(error: TelexError, locale: Locale): string {
  const issues = error.issues ?? [];
  if (error.reason !== undefined || issues.length === 0) return describeError(error, locale);
  return issues
    .slice(0, toldIssues)
    .map((issue) => `${issue.path} ${describeIssue(issue, locale)}`.trim())
    .join("; ");
}

/** The frame of a failed command (interface 7.2). `result` is the type of the command's result. */
export function failure(error: TelexError, identifier: Identifier, locale: Locale, result?: string): string {
  const code = resultCodes[error.code];
  const msg = textOf(error, locale);
  return code === undefined || result === undefined
    ? failureFrame("OperationFailed", 500, identifier, msg)
    : failureFrame(result, code, identifier, msg);
}
