import type { ErrorCode, TelexError } from "@telex/core";
import { describeInLine, type Locale } from "@telex/core/transport";
import { failureFrame, type Identifier } from "./frames.ts";

/** Failures that the interface reports in the frame of the result, with their codes (interface 7.2). */
const resultCodes: Partial<Readonly<Record<ErrorCode, number>>> = { bot_offline: 300 };

/** The frame of a failed command (interface 7.2). `result` is the type of the command's result. */
export function failure(error: TelexError, identifier: Identifier, locale: Locale, result?: string): string {
  const code = resultCodes[error.code];
  const msg = describeInLine(error, locale);
  return code === undefined || result === undefined
    ? failureFrame("OperationFailed", 500, identifier, msg)
    : failureFrame(result, code, identifier, msg);
}
