import {
  aiContract,
  type Caller,
  chooseLocale,
  type CloseReason,
  type CompletionEvent,
  describeError,
  describeIssue,
  type ErrorCode,
  type Locale,
  type Telex,
  TelexError,
} from "@telex/core";
import type { Exchange } from "../request/exchange.ts";
import { type Completion, streamedAnswer, wholeAnswer } from "./answer.ts";
import { theirPath } from "./fields.ts";
import { readCompletionRequest } from "./request.ts";
import { createEndpoint, type Endpoint } from "../server/operations.ts";
import { envelopeHeaders, failure, type Refuse } from "../response/http-response.ts";
import { statusOf } from "../status.ts";

/** The words that clients of that interface branch on, where it has one of its own. */
const codes: Partial<Readonly<Record<ErrorCode, string>>> = {
  invalid_token: "invalid_api_key",
  quota_exceeded: "insufficient_quota",
  rate_limited: "rate_limit_exceeded",
};

const unsupportedReasons: ReadonlySet<string | undefined> = new Set([
  "field_unsupported",
  "model_without_images",
  "model_without_tools",
]);

function codeOf({ code, reason }: TelexError): string {
  if (reason === "model_unknown") return "model_not_found";
  if (reason === "prompt_too_long") return "context_length_exceeded";
  if (reason === "field_unknown") return "unknown_parameter";
  if (unsupportedReasons.has(reason)) return "unsupported_parameter";
  return codes[code] ?? code;
}

function typeOf({ code }: TelexError): string {
  if (code === "quota_exceeded") return "insufficient_quota";
  if (code === "rate_limited") return "rate_limit_error";
  return statusOf[code] >= 500 ? "server_error" : "invalid_request_error";
}

function messageOf(error: TelexError, locale: Locale): string {
  const issues = (error.issues ?? [])
    .slice(0, 3)
    .map((issue) => `${theirPath(issue.path)}: ${describeIssue(issue, locale)}`);
  return [describeError(error, locale), ...issues].join(" ");
}

/** Makes failures in the form of that interface: `{error: {message, type, param, code}}`. */
export function openAiRefuser(exchange: Exchange, fallback: Locale): Refuse {
  const locale = chooseLocale(exchange.header("accept-language"), fallback);
  return (error, options) => {
    const { status, headers } = failure(error, locale, options);
    const path = error.issues?.[0]?.path ?? error.params["field"];
    const param = path === undefined ? null : theirPath(String(path));
    const told = { message: messageOf(error, locale), type: typeOf(error), param, code: codeOf(error) };
    return { status, headers, body: JSON.stringify({ error: told }) };
  };
}

/** Aborted when the caller is gone, or by itself. */
function createStop(gone: AbortSignal | undefined) {
  const stop = new AbortController();
  const signal = gone === undefined ? stop.signal : AbortSignal.any([gone, stop.signal]);
  return { signal, abort: () => stop.abort() };
}

function createCompletions(telex: Telex): Endpoint {
  const fail = (error: TelexError): void => {
    if (error.cause === undefined) return;
    telex.log.error(
      "http.failed",
      { operation: "ai.complete", code: error.code, incident: error.incident },
      error.cause,
    );
  };
  return createEndpoint({
    name: "ai.complete",
    operation: aiContract.complete,
    route: {
      method: "POST",
      path: "/v1/chat/completions",
      token: "header",
      input: "json",
      response: "envelope",
      limit: "promptSize",
    },
    refuser: openAiRefuser,
    async call(caller, body, context): Promise<Completion> {
      const { input, ...kind } = readCompletionRequest(body);
      const { signal, abort } = createStop(context.signal);
      const events = await telex.call("ai.complete", caller, input, { signal });
      const [first] = await telex.ai.models(caller, {});
      const { model = first?.model } = input;
      const lasting = whileTokenLasts(telex, caller, { events, abort });
      return { model: typeof model === "string" ? model : "", events: lasting, ...kind, abort };
    },
    write(completion, { refuse }) {
      const now = telex.clock.now();
      return completion.stream ? streamedAnswer(completion, telex, { refuse, fail }) : wholeAnswer(completion, now);
    },
  });
}

const createModels = (telex: Telex): Endpoint =>
  createEndpoint({
    name: "ai.models",
    operation: aiContract.models,
    route: { method: "GET", path: "/v1/models", token: "header", input: "query", response: "envelope" },
    refuser: openAiRefuser,
    call: (caller) => telex.ai.models(caller, {}),
    write(models) {
      const data = models.map(({ model }) => ({ id: model, object: "model", created: 0, owned_by: "telex" }));
      return { status: 200, headers: envelopeHeaders, body: JSON.stringify({ object: "list", data }) };
    },
  });

/** `/v1/chat/completions` and `/v1/models`: behind the same tokens and the same quota, nothing is kept. */
export const createOpenAiEndpoints = (telex: Telex): readonly Endpoint[] => [
  createCompletions(telex),
  createModels(telex),
];

/** The pieces of a completion as long as the token lasts that asked for it. When the token ends, the model is stopped. */
async function* whileTokenLasts(
  telex: Telex,
  caller: Caller,
  { events, abort }: Pick<Completion, "events" | "abort">,
): AsyncGenerator<CompletionEvent, void> {
  if (caller.kind !== "token") throw new TelexError("invalid_token");
  let isEnded = false;
  const close = (reason: CloseReason): void => {
    isEnded ||= reason === "token_ended";
    if (isEnded) abort();
  };
  const detach = telex.attach({ holder: caller, write: () => undefined, close });
  try {
    for await (const event of events) {
      if (isEnded) throw new TelexError("invalid_token");
      yield event;
    }
  } finally {
    detach();
  }
}
