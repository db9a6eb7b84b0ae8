import { setTimeout as pause } from "node:timers/promises";
import { type ChatModel, type ChatPart, type ChatRequest, type ModelFinish, TelexError } from "@telex/core";
import type { Chunk } from "./chunk.ts";
import type { OpenAiModelOptions } from "./options.ts";
import type { Service } from "./request.ts";
import { networkError, ServiceError } from "./service-error.ts";
import { type ChunkStream, openStream } from "./stream.ts";
import type { TokenCounter } from "./tokens.ts";

/** UTF-16 units that a token may stand for: a service that sends more than so many has lost count. */
const unitsPerToken = 32;
/** Milliseconds before the first repeat; twice as many before each later one. */
const firstPause = 250;

type Model = Required<OpenAiModelOptions>;

/** What a stream has given so far. */
interface Progress {
  answer: string;
  finish: ModelFinish | null;
  usage: Chunk["usage"];
}

/** The pieces of a reply in these chunks, as far as its greatest length allows. */
function* partsOf(chunks: readonly Chunk[], progress: Progress, most: number): Generator<ChatPart> {
  for (const { delta, finish, usage, isLast } of chunks) {
    progress.finish = finish ?? progress.finish ?? (isLast ? "stop" : null);
    progress.usage = usage ?? progress.usage;
    progress.answer += delta;
    if (delta !== "") yield { kind: "delta", delta };
    if (progress.answer.length > most) {
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

const brokenOff = (): ServiceError => new ServiceError("The AI service stopped in the middle.", { isTransient: true });

/** A stream that has begun: with a piece of the reply, or its end. */
interface Begun {
  readonly stream: ChunkStream;
  readonly first: readonly Chunk[];
}

/** The chunks that the first piece of a reply comes with, or its end. */
async function firstOf(stream: ChunkStream): Promise<readonly Chunk[]> {
  for (let chunks = await stream.next(); chunks !== null; chunks = await stream.next()) {
    if (chunks.some(({ delta, finish, isLast }) => delta !== "" || finish !== null || isLast)) return chunks;
  }
  throw brokenOff();
}

const keyOf = (service: Service): Promise<string> =>
  service.key().catch(() => {
    throw new ServiceError("The key of the AI service could not be read.");
  });

/** Asks until the first piece has come; from then on a failure is one. */
async function begin(service: Service, model: Model, asked: ChatRequest): Promise<Begun> {
  for (let failures = 1; ; failures += 1) {
    let stream: ChunkStream | null = null;
    try {
      const key = await keyOf(service);
      asked.signal.throwIfAborted();
      stream = openStream(service, { model, asked, key });
      return { stream, first: await firstOf(stream) };
    } catch (cause) {
      stream?.end();
      asked.signal.throwIfAborted();
      await beforeRepeat(networkError(cause), failures, service, asked.signal);
    }
  }
}

async function* replyOf(
  service: Service,
  model: Model,
  counter: TokenCounter,
  request: ChatRequest,
): AsyncGenerator<ChatPart> {
  const { stream, first } = await begin(service, model, request);
  const most = request.maxOutputTokens * unitsPerToken;
  const progress: Progress = { answer: "", finish: null, usage: null };
  try {
    let chunks: readonly Chunk[] | null = first;
    while (chunks !== null) {
      for (const part of partsOf(chunks, progress, most)) yield part;
      chunks = progress.answer.length > most ? null : await stream.next();
    }
    if (progress.finish === null) throw brokenOff();
  } catch (cause) {
    request.signal.throwIfAborted();
    // With a finish nothing but the usage is missing.
    if (progress.finish === null) throw new TelexError("ai_unavailable", { cause: networkError(cause) });
  } finally {
    stream.end();
  }
  yield await endOf(progress, request, counter);
}

/** A model of a service. */
export const createModel = (service: Service, model: Model, counter: TokenCounter): ChatModel => ({
  contextTokens: model.contextTokens,
  maxOutputTokens: model.maxOutputTokens,
  countTokens: (text) => counter.count(text),
  reply: (request) => replyOf(service, model, counter, request),
});
