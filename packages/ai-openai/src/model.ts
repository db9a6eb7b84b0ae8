import {
  type ChatModel,
  type ChatPart,
  type ChatRequest,
  type ModelFinish,
  type ReplySetting,
  TelexError,
} from "@telex/core";
import { type Wait, withRepeats } from "./attempts.ts";
import { bodyOf } from "./body.ts";
import type { Chunk } from "./chunk.ts";
import type { OpenAiModelOptions } from "./options.ts";
import type { Service } from "./request.ts";
import { networkError, ServiceError } from "./service-error.ts";
import { type ChunkStream, openStream } from "./stream.ts";
import type { TokenCounter } from "./tokens.ts";
import { createWatchdog } from "./watchdog.ts";

/** Maximum UTF-16 units for each token. A service that sends more has miscounted. */
const unitsPerToken = 32;

type Model = Required<OpenAiModelOptions>;

/** The state of a stream. */
interface Progress {
  /** The text and the arguments of tool calls, which both count as tokens. */
  answer: string;
  /** UTF-16 units of the answer and of the ids of calls, which do not count as tokens. */
  units: number;
  finish: ModelFinish | null;
  usage: Chunk["usage"];
}

/** The parts of a reply in these chunks, up to the maximum length of the reply. */
function* partsOf(chunks: readonly Chunk[], progress: Progress, most: number): Generator<ChatPart> {
  for (const { delta, calls, finish, usage, isLast } of chunks) {
    progress.finish = finish ?? progress.finish ?? (isLast ? "stop" : null);
    progress.usage = usage ?? progress.usage;
    progress.answer += delta;
    progress.units += delta.length;
    if (delta !== "") yield { kind: "delta", delta };
    for (const call of calls) {
      const called = (call.name ?? "") + call.arguments;
      progress.answer += called;
      progress.units += called.length + (call.id ?? "").length;
      yield call;
    }
    if (progress.units > most) {
      progress.finish ??= "length";
      return;
    }
  }
}

async function endOf(
  { usage, answer, finish }: Progress,
  { messages }: ChatRequest,
  counter: TokenCounter,
): Promise<ChatPart> {
  const finishReason = finish ?? "stop";
  if (usage !== null) return { kind: "end", finishReason, usage: { ...usage, estimated: false } };
  await counter.ready();
  const promptTokens = messages.reduce((sum, { content }) => sum + counter.count(content), 0);
  const completionTokens = counter.count(answer);
  return { kind: "end", finishReason, usage: { promptTokens, completionTokens, estimated: true } };
}

const brokenOff = (): ServiceError => new ServiceError("The AI service stopped in the middle.", { isTransient: true });

/** A stream that has sent the first piece of the reply, or its end. */
interface Begun {
  readonly stream: ChunkStream;
  readonly first: readonly Chunk[];
}

/** The chunks up to and including the first piece of the reply, or the end of the stream. */
async function firstOf(stream: ChunkStream): Promise<readonly Chunk[]> {
  for (let chunks = await stream.next(); chunks !== null; chunks = await stream.next()) {
    if (
      chunks.some(({ delta, calls, finish, isLast }) => delta !== "" || calls.length > 0 || finish !== null || isLast)
    )
      return chunks;
  }
  throw brokenOff();
}

/** Repeats the request until the first piece arrives. Later failures are not repeated. */
const begin = (model: Model, chatRequest: ChatRequest, wait: Wait): Promise<Begun> =>
  withRepeats(wait, async (key) => {
    const request = {
      path: "/chat/completions",
      accept: "text/event-stream",
      body: bodyOf(model, chatRequest),
      key,
    } as const;
    const stream = openStream(wait.service, request, wait.signal, wait.watchdog);
    try {
      return { stream, first: await firstOf(stream) };
    } catch (cause) {
      stream.end();
      throw cause;
    }
  });

async function* replyOf(
  service: Service,
  model: Model,
  counter: TokenCounter,
  request: ChatRequest,
): AsyncGenerator<ChatPart> {
  const watchdog = createWatchdog(service.timeouts, service.clock);
  const most = request.maxOutputTokens * unitsPerToken;
  const progress: Progress = { answer: "", units: 0, finish: null, usage: null };
  let stream: ChunkStream | null = null;
  try {
    const begun = await begin(model, request, {
      service,
      retries: request.canRepeat === false ? 0 : service.retries,
      signal: request.signal,
      watchdog,
    });
    stream = begun.stream;
    let chunks: readonly Chunk[] | null = begun.first;
    while (chunks !== null) {
      for (const part of partsOf(chunks, progress, most)) yield part;
      chunks = progress.units > most ? null : await stream.next();
    }
    if (progress.finish === null) throw brokenOff();
  } catch (cause) {
    request.signal.throwIfAborted();
    // After a finish reason only the usage is missing.
    if (TelexError.is(cause)) throw cause;
    if (progress.finish === null) throw new TelexError("ai_unavailable", { cause: networkError(cause) });
  } finally {
    stream?.end();
    watchdog.end();
  }
  yield await endOf(progress, request, counter);
}

/** All settings reach the service. */
const settings: readonly ReplySetting[] = [
  "temperature",
  "topP",
  "presencePenalty",
  "frequencyPenalty",
  "seed",
  "reasoningEffort",
  "verbosity",
  "parallelToolCalls",
  "responseFormat",
];

/** Creates a model of a service. */
export const createModel = (service: Service, model: Model, counter: TokenCounter): ChatModel => ({
  contextTokens: model.contextTokens,
  maxOutputTokens: model.maxOutputTokens,
  takesImages: model.images,
  takesTools: model.tools,
  takesSettings: settings,
  countTokens: (text) => counter.count(text),
  reply: (request) => replyOf(service, model, counter, request),
});
