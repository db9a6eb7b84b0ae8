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
import type { H3Event } from "h3";
import type { Exchange } from "../request/exchange.ts";
import type { Form } from "../server/handler.ts";
import { type Completion, streamedAnswer, wholeAnswer } from "./answer.ts";
import { theirPath } from "./fields.ts";
import { readCompletionRequest } from "./request.ts";
import type { Endpoint } from "../server/operations.ts";
import { envelopeHeaders, failure, type Refuse } from "../response/reply.ts";
import { statusOf } from "../status.ts";

/** An endpoint that speaks the interface of OpenAI, and what its answers look like. */
export interface OpenAiEndpoint {
  readonly endpoint: Endpoint;
  readonly form: Form;
}

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
export function openAiRefuser(event: H3Event, fallback: Locale): Refuse {
  const locale = chooseLocale(event.req.headers.get("accept-language"), fallback);
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

function createCompletions(telex: Telex): OpenAiEndpoint {
  const fail = (error: TelexError): void => {
    if (error.cause === undefined) return;
    telex.log.error(
      "http.failed",
      { operation: "ai.complete", code: error.code, incident: error.incident },
      error.cause,
    );
  };
  return {
    endpoint: {
      capability: "ai",
      method: "complete",
      name: "ai.complete",
      operation: aiContract.complete,
      route: {
        method: "POST",
        path: "/v1/chat/completions",
        token: "header",
        input: "json",
        reply: "envelope",
        limit: "promptSize",
      },
      async call(caller, body, context): Promise<Completion> {
        const { input, ...kind } = readCompletionRequest(body);
        const { signal, abort } = createStop(context.signal);
        const events = await callUnchecked(telex, caller, input, signal);
        const [first] = await telex.ai.models(caller, {});
        const { model = first?.model } = input;
        const lasting = whileTokenLasts(telex, caller, { events, abort });
        return { model: typeof model === "string" ? model : "", events: lasting, ...kind, abort };
      },
    },
    form: {
      refuser: openAiRefuser,
      async write(output, { refuse }: Exchange) {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what this endpoint's own call gives
        const completion = output as Completion;
        const now = telex.clock.now();
        return await (completion.stream
          ? streamedAnswer(completion, telex, { refuse, fail })
          : wholeAnswer(completion, now));
      },
    },
  };
}

/** The operation checks its input; nothing is known of it here. */
const callUnchecked = (
  telex: Telex,
  caller: Parameters<Telex["ai"]["complete"]>[0],
  input: unknown,
  signal: AbortSignal,
): ReturnType<Telex["ai"]["complete"]> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  telex.ai.complete(caller, input as Parameters<Telex["ai"]["complete"]>[1], { signal });

function createModels(telex: Telex): OpenAiEndpoint {
  return {
    endpoint: {
      capability: "ai",
      method: "models",
      name: "ai.models",
      operation: aiContract.models,
      route: { method: "GET", path: "/v1/models", token: "header", input: "query", reply: "envelope" },
      call: (caller) => telex.ai.models(caller, {}),
    },
    form: {
      refuser: openAiRefuser,
      write(output) {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what this endpoint's own call gives
        const models = output as Awaited<ReturnType<Telex["ai"]["models"]>>;
        const data = models.map(({ model }) => ({ id: model, object: "model", created: 0, owned_by: "telex" }));
        return { status: 200, headers: envelopeHeaders, body: JSON.stringify({ object: "list", data }) };
      },
    },
  };
}

/** `/v1/chat/completions` and `/v1/models`: behind the same tokens and the same quota, nothing is kept. */
export const createOpenAiEndpoints = (telex: Telex): readonly OpenAiEndpoint[] => [
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
