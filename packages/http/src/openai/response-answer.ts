import { TelexError } from "@telex/core";
import type { ReplyEvent } from "./complete.ts";
import { type Fields, isFields } from "./fields.ts";
import { createOutput } from "./response-items.ts";
import { newId, type ResponseEvent } from "./item-events.ts";
import type { Answer } from "./streamed.ts";

/** A reply of a model that has been asked. */
interface ResponseCompletion {
  /** The fields that the response repeats from its request. */
  readonly repeated: () => Fields;
  readonly events: AsyncIterable<ReplyEvent>;
  readonly stream: boolean;
  /** Stops the model. */
  readonly abort: () => void;
}

type Result = Extract<ReplyEvent, { readonly kind: "result" }>;

const usageOf = ({ usage }: Result): Fields => ({
  input_tokens: usage.promptTokens,
  input_tokens_details: { cached_tokens: usage.cachedTokens ?? 0, cache_write_tokens: 0 },
  output_tokens: usage.completionTokens,
  output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
  total_tokens: usage.totalTokens,
});

/** Why a reply is incomplete, or null. A stopped reply counts as cut short. */
function incompleteOf({ finishReason }: Result): Fields | null {
  if (finishReason === "content_filter") return { reason: "content_filter" };
  return finishReason === "length" || finishReason === "stopped" ? { reason: "max_output_tokens" } : null;
}

/** The head of the response, the same in each event. */
const createHead = (fields: () => Fields, now: number) => {
  const head = { id: newId("resp"), object: "response", created_at: Math.floor(now / 1000) };
  const fixed = { background: false, previous_response_id: null, store: false, truncation: "disabled" };
  return (state: Fields): Fields => ({
    ...head,
    error: null,
    incomplete_details: null,
    usage: null,
    ...fields(),
    ...fixed,
    ...state,
  });
};

function firstEvents(responseOf: (state: Fields) => Fields): readonly ResponseEvent[] {
  const response = responseOf({ status: "in_progress", output: [] });
  return ["response.created", "response.in_progress"].map((type) => ({ type, response }));
}

/** Ends the items, and returns the complete response. */
function lastEvents(
  result: Result,
  output: ReturnType<typeof createOutput>,
  responseOf: (state: Fields) => Fields,
): readonly ResponseEvent[] {
  const incomplete = incompleteOf(result);
  const status = incomplete === null ? "completed" : "incomplete";
  const last = output.end(status);
  const state = { status, output: output.items(), usage: usageOf(result), incomplete_details: incomplete };
  return [...last, { type: `response.${status}`, response: responseOf(state) }];
}

async function* responseEvents(
  events: AsyncIterable<ReplyEvent>,
  responseOf: (state: Fields) => Fields,
): AsyncGenerator<readonly ResponseEvent[]> {
  let isFirst = true;
  const output = createOutput();
  for await (const event of events) {
    yield [
      ...(isFirst ? firstEvents(responseOf) : []),
      ...(event.kind === "result" ? lastEvents(event, output, responseOf) : output.add(event)),
    ];
    isFirst = false;
  }
}

async function wholeResponse(events: AsyncIterable<readonly ResponseEvent[]>): Promise<string> {
  let last: ResponseEvent | undefined;
  for await (const some of events) last = some.at(-1);
  if (last?.["response"] === undefined) throw new TelexError("ai_unavailable");
  return JSON.stringify(last["response"]);
}

/** A reply in the form of `/v1/responses`. `now`: Unix milliseconds. */
export function createResponseAnswer({ repeated, events, stream, abort }: ResponseCompletion, now: number): Answer {
  const responseOf = createHead(repeated, now);
  let number = 0;
  const textOf = (event: ResponseEvent): string => {
    const data = JSON.stringify({ ...event, sequence_number: number });
    number += 1;
    return `event: ${event.type}\ndata: ${data}\n\n`;
  };
  const all = () => responseEvents(events, responseOf);
  return {
    isStream: stream,
    abort,
    whole: () => wholeResponse(all()),
    async *texts() {
      for await (const some of all()) if (some.length > 0) yield some.map(textOf).join("");
    },
    failed(failure) {
      const body: unknown = JSON.parse(failure);
      const { code, message, param } = isFields(body) && isFields(body["error"]) ? body["error"] : {};
      const response = responseOf({ status: "failed", output: [], error: { code, message } });
      return textOf({ type: "error", code, message, param }) + textOf({ type: "response.failed", response });
    },
  };
}
