import type { ErrorCode } from "@telex/core";

/**
 * The HTTP status of every error. A failure of a bot is 502: Telex did its part, the network behind it did not; 504 where
 * nobody knows. What passes by itself (`busy`, a storage that does not answer) is 503.
 */
export const statusOf: Readonly<Record<ErrorCode, number>> = {
  invalid_request: 400,
  invalid_token: 401,
  insufficient_scope: 403,
  not_owner: 403,
  not_member: 403,
  too_late: 403,
  not_found: 404,
  device_not_found: 404,
  file_not_found: 404,
  group_not_found: 404,
  user_not_found: 404,
  method_not_allowed: 405,
  timeout: 408,
  device_taken: 409,
  group_taken: 409,
  code_used: 409,
  file_conflict: 409,
  nonce_conflict: 409,
  code_expired: 410,
  too_large: 413,
  unsupported_media: 415,
  unreadable_image: 422,
  rate_limited: 429,
  quota_exceeded: 429,
  queue_full: 429,
  headers_too_large: 431,
  internal: 500,
  delivery_failed: 502,
  storage_full: 503,
  storage_unavailable: 503,
  bot_offline: 503,
  ai_unavailable: 503,
  busy: 503,
  shutting_down: 503,
  delivery_unknown: 504,
};
