export { describeError, describeInLine, describeIssue, localeOf, locales } from "./describe.ts";
export type { Locale } from "./describe.ts";
export { TelexError } from "./errors.ts";
export type { Issue } from "./issues.ts";
export { errorCodes, problemKeys, reasonKeys } from "./keys.ts";
export type { ErrorCode, ReasonKey, TextParams } from "./keys.ts";
