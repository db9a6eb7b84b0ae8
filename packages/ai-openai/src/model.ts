import { setTimeout as pause } from "node:timers/promises";
import { type ChatModel, type ChatPart, type ChatRequest, type ModelFinish, TelexError } from "@telex/core";
import type { Chunk } from "./chunk.ts";
import { chunksOf, createWatchdog } from "./chunks.ts";
import type { OpenAiModelOptions } from "./options.ts";
import { ask, type Service } from "./request.ts";
import { networkError, ServiceError } from "./service-error.ts";
import type { TokenCounter } from "./tokens.ts";

/** UTF-16 units that a token may stand for: a service that sends more than so many has lost count. */
const unitsPerToken = 32;
/** Milliseconds before the first repeat; twice as many before each later one. */
const firstPause = 250;

type Model = Required<OpenAiModelOptions>;

/** What one attempt has given so far. */
interface Progress {
  answer: string;
  finish: ModelFinish | null;
  usage: Chunk["usage"];
}

/** The pieces of a reply in these events, as far as its greatest length allows. */
function* partsOf(chunks: Iterable<Chunk>, progress: Progress, most: number): Generator<ChatPart> {
  for (const { delta, finish, usage, isLast } of chunks) {
    progress.finish = finish ?? progress.finish ?? (isLast ? "stop" : null);
    progress.usage = usage ?? progress.usage;
    progress.answer += delta;
    if (delta !== "") yield { kind: "delta", delta };
    if (progress.answer.length > most) return;
  }
}

/** One attempt at a reply, cut off at its greatest length. */
async function* attempt(
  service: Service,
  model: Model,
  request: ChatRequest,
  progress: Progress,
): AsyncGenerator<ChatPart> {
  const watchdog = createWatchdog(service.timeouts);
  const leaving = new AbortController();
  const signal = AbortSignal.any([request.signal, watchdog.signal, leaving.signal]);
  const most = request.maxOutputTokens * unitsPerToken;
  try {
    const body = await watchdog.watch(ask(service, model, request, signal));
    for await (const chunks of chunksOf(body, watchdog)) {
      for (const part of partsOf(chunks, progress, most)) yield part;
      if (progress.answer.length > most) break;
    }
    progress.finish ??= progress.answer.length > most ? "length" : null;
  } catch (cause) {
    throw watchdog.failure ?? networkError(cause);
  } finally {
    watchdog.end();
    leaving.abort();
  }
  if (progress.finish === null) throw new ServiceError("The AI service stopped in the middle.", { isTransient: true });
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

/** Waits before a repeat, or throws what cannot be repeated. */
async function beforeRepeat(
  error: ServiceError,
  failures: number,
  service: Service,
  signal: AbortSignal,
): Promise<void> {
  if (!error.isTransient || failures > service.retries) throw new TelexError("ai_unavailable", { cause: error });
  const wait = error.retryAfter > 0 ? error.retryAfter : firstPause * 2 ** (failures - 1);
  await pause(wait, undefined, { signal });
}

/** Asks until the first piece has come; from then on a failure is one. */
async function* replyOf(
  service: Service,
  model: Model,
  counter: TokenCounter,
  request: ChatRequest,
): AsyncGenerator<ChatPart> {
  const { signal } = request;
  for (let failures = 1; ; failures += 1) {
    const progress: Progress = { answer: "", finish: null, usage: null };
    try {
      for await (const part of attempt(service, model, request, progress)) yield part;
      yield await endOf(progress, request, counter);
      return;
    } catch (cause) {
      signal.throwIfAborted();
      const error = networkError(cause);
      // Nothing but the usage was missing.
      if (progress.finish !== null) {
        yield await endOf(progress, request, counter);
        return;
      }
      if (progress.answer !== "") throw new TelexError("ai_unavailable", { cause: error });
      await beforeRepeat(error, failures, service, signal);
    }
  }
}

/** A model of a service. */
export const createModel = (service: Service, model: Model, counter: TokenCounter): ChatModel => ({
  contextTokens: model.contextTokens,
  maxOutputTokens: model.maxOutputTokens,
  countTokens: (text) => counter.count(text),
  reply: (request) => replyOf(service, model, counter, request),
});
