import type { ErrorCode, TelexError } from "@telex/core";
import { describeError, describeIssue, type Locale } from "@telex/core/transport";
import { type Exchange, languageOf } from "../exchange/exchange.ts";
import { failure, type Refuse } from "../response/http-response.ts";
import { statusOf } from "../status.ts";

/** The words that clients of that interface branch on, if it has its own. */
const codes: Partial<Readonly<Record<ErrorCode, string>>> = {
  invalid_token: "invalid_api_key",
  quota_exceeded: "insufficient_quota",
  rate_limited: "rate_limit_exceeded",
};

const codesOfReasons: { readonly [reason in NonNullable<TelexError["reason"]>]?: string } = {
  model_unknown: "model_not_found",
  model_without_embeddings: "model_not_found",
  prompt_too_long: "context_length_exceeded",
  input_too_long: "context_length_exceeded",
  field_unknown: "unknown_parameter",
  field_unsupported: "unsupported_parameter",
  model_without_images: "unsupported_parameter",
  model_without_tools: "unsupported_parameter",
  model_without_formats: "unsupported_parameter",
  responses_not_kept: "unsupported_parameter",
};

const codeOf = ({ code, reason }: TelexError): string =>
  (reason === undefined ? undefined : codesOfReasons[reason]) ?? codes[code] ?? code;

function typeOf({ code }: TelexError): string {
  if (code === "quota_exceeded") return "insufficient_quota";
  if (code === "rate_limited") return "rate_limit_error";
  return statusOf[code] >= 500 ? "server_error" : "invalid_request_error";
}

function messageOf(error: TelexError, locale: Locale): string {
  const issues = (error.issues ?? []).slice(0, 3).map((issue) => `${issue.path}: ${describeIssue(issue, locale)}`);
  return [describeError(error, locale), ...issues].join(" ");
}

/** Makes failures in the form of that interface: `{error: {message, type, param, code}}`. */
export const openAiRefuser =
  (exchange: Exchange, fallback: Locale): Refuse =>
  (error, options) => {
    const locale = languageOf(exchange, fallback);
    const { status, headers } = failure(error, locale, options);
    const param = error.issues?.[0]?.path ?? error.params["field"] ?? null;
    const fault = { message: messageOf(error, locale), type: typeOf(error), param, code: codeOf(error) };
    return { status, headers, body: JSON.stringify({ error: fault }) };
  };
