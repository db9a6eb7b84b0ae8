/**
 * Every way in which an operation can fail: a closed list. Clients branch on these words, so they never change.
 * `@telex/http` gives each its status, and `zh.ts` and `en.ts` its text.
 */
export const errorCodes = [
  "invalid_request",
  "invalid_token",
  "insufficient_scope",
  "not_owner",
  "not_member",
  "too_late",
  "not_found",
  "device_not_found",
  "file_not_found",
  "group_not_found",
  "user_not_found",
  "method_not_allowed",
  "timeout",
  "device_taken",
  "group_taken",
  "code_used",
  "file_conflict",
  "nonce_conflict",
  "code_expired",
  "too_large",
  "unsupported_media",
  "unreadable_image",
  "rate_limited",
  "quota_exceeded",
  "queue_full",
  "headers_too_large",
  "delivery_failed",
  "delivery_unknown",
  "storage_full",
  "storage_unavailable",
  "bot_offline",
  "ai_unavailable",
  "busy",
  "shutting_down",
  "internal",
] as const;

/** One word of {@link errorCodes}. */
export type ErrorCode = (typeof errorCodes)[number];
