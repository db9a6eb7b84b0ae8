import type { ErrorCode } from "./codes.ts";

/** Values for the placeholders of a text. */
export type TextParams = Readonly<Record<string, string | number>>;

/** The problems of one field. */
export const problemKeys = [
  "required",
  "wrong_type",
  "too_short",
  "too_long",
  "too_few",
  "too_many",
  "too_low",
  "too_high",
  "unknown_value",
  "invalid",
  "id",
  "integer",
  "text",
  "text_empty",
  "text_nul",
  "image_data_url",
  "embedding_input",
  "json_object",
  "part_kind",
  "text_surrogate",
  "device_id",
  "ext_taken",
  "account_taken",
  "secret_taken",
  "official_taken",
  "storage_id",
  "file_id",
  "nonce",
  "cursor",
  "pairing_code",
  "repeated",
  "not_json",
  "not_object",
  "too_deep",
  "time_zone",
  "date",
  "scope",
  "secret",
  "username",
] as const;

/** One word of {@link problemKeys}. */
export type ProblemKey = (typeof problemKeys)[number];

/** Texts that say more than the text of an error code does. */
export const reasonKeys = [
  "account_queue_full",
  "account_unknown",
  "ack_above_newest",
  "bad_since",
  "body_not_json",
  "body_not_utf8",
  "body_missing_file",
  "body_too_many_parts",
  "body_broken_off",
  "bot_connect_reserved",
  "bot_partly",
  "bot_refused",
  "bot_unsupported",
  "code_unknown",
  "command_not_json",
  "command_not_object",
  "command_not_taken",
  "command_unknown",
  "devices_too_many",
  "empty_message",
  "group_missing",
  "group_of_two",
  "group_type_wrong",
  "image_too_many_lines",
  "image_too_many_pixels",
  "message_foreign",
  "message_malformed",
  "message_stays",
  "message_unknown",
  "model_unknown",
  "pairing_unknown",
  "model_without_embeddings",
  "model_without_images",
  "model_without_tools",
  "input_too_long",
  "prompt_too_long",
  "replies_started",
  "query_malformed",
  "query_repeated",
  "responses_not_kept",
  "room_reserved",
  "scope_reserved",
  "onebot_connect_reserved",
  "session_needed",
  "sign_in_wrong",
  "segment_unknown",
  "segments_too_many",
  "sender_unknown",
  "server_unknown",
  "sockets_of_address",
  "sockets_of_token",
  "storage_is_memory",
  "text_too_long",
  "token_mismatch",
  "token_unknown",
  "field_unknown",
  "field_unsupported",
  "file_foreign",
  "reply_unknown",
  "uploads_used_up",
] as const;

/** One word of {@link reasonKeys}. */
export type ReasonKey = (typeof reasonKeys)[number];

/** Everything a person can be told. A language that lacks one does not compile. */
export interface Texts {
  readonly errors: Readonly<Record<ErrorCode, string>>;
  readonly reasons: Readonly<Record<ReasonKey, string>>;
  readonly problems: Readonly<Record<ProblemKey, string>>;
}

type PlaceholderOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string} ${string}` ? never : Name) | PlaceholderOf<Rest>
  : never;

/** The values that a text needs for its placeholders, other than those that every error fills by itself. */
export type ParamsOf<Text extends string> = [Exclude<PlaceholderOf<Text>, "retryAfter" | "incident">] extends [never]
  ? { readonly params?: TextParams }
  : { readonly params: Readonly<Record<Exclude<PlaceholderOf<Text>, "retryAfter" | "incident">, string | number>> };
