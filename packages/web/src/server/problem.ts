import { TelexClientError } from "@telex/http/client";
import type { Texts } from "../i18n/texts.ts";

/** The kinds of problems that a page explains. */
export type Problem = keyof Texts["problem"];

const problems: Readonly<Partial<Record<TelexClientError["code"], Problem>>> = {
  invalid_token: "invalidToken",
  insufficient_scope: "insufficientScope",
  device_taken: "deviceTaken",
  device_not_found: "deviceNotFound",
  not_owner: "notOwner",
  not_found: "codeNotFound",
  code_expired: "codeNotFound",
  queue_full: "queueFull",
  rate_limited: "rateLimited",
  nonce_conflict: "nonceConflict",
  bot_offline: "botOffline",
  delivery_failed: "deliveryFailed",
  delivery_unknown: "deliveryUnknown",
  too_late: "tooLate",
  too_large: "tooLarge",
  quota_exceeded: "quotaExceeded",
  group_not_found: "roomNotFound",
  file_not_found: "fileNotFound",
};

/** The problem that an error of a call represents. Any error other than a response of the server is a failed connection. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof TelexClientError)) return "unreachable";
  return problems[error.code] ?? (error.status >= 500 || error.status === 408 ? "unavailable" : "unknown");
}

/** True if the same call can succeed later without a change by the person. */
export const isPassing = (problem: Problem): boolean =>
  problem === "unreachable" || problem === "unavailable" || problem === "rateLimited";
