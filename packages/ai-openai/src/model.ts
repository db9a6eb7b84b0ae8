import { type ChatModel, type ChatPart, type ChatRequest, type ModelFinish, TelexError } from "@telex/core";
import type { Chunk } from "./chunk.ts";
import type { OpenAiModelOptions } from "./options.ts";
import type { Service } from "./request.ts";
import { networkError, ServiceError } from "./service-error.ts";
import { type ChunkStream, openStream } from "./stream.ts";
import type { TokenCounter } from "./tokens.ts";
import { createWatchdog, type Watchdog } from "./watchdog.ts";

/** UTF-16 units that a token may stand for: a service that sends more than so many has lost count. */
const unitsPerToken = 32;
/** Milliseconds before the first repeat; twice as many before each later one. */
const firstPause = 250;

type Model = Required<OpenAiModelOptions>;

/** What a stream has given so far. */
interface Progress {
  /** The text, and what was said of calls: what counts in tokens. */
  answer: string;
  finish: ModelFinish | null;
  usage: Chunk["usage"];
}

/** The pieces of a reply in these chunks, as far as its greatest length allows. */
function* partsOf(chunks: readonly Chunk[], progress: Progress, most: number): Generator<ChatPart> {
  for (const { delta, calls, finish, usage, isLast } of chunks) {
    progress.finish = finish ?? progress.finish ?? (isLast ? "stop" : null);
    progress.usage = usage ?? progress.usage;
    progress.answer += delta;
    if (delta !== "") yield { kind: "delta", delta };
    for (const call of calls) {
      progress.answer += (call.name ?? "") + call.arguments;
      yield call;
    }
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

/** A reply that is waited for. */
interface Wait {
  readonly service: Service;
  readonly asked: ChatRequest;
  /** Watches over all attempts together. */
  readonly watchdog: Watchdog;
}

/** Waits for a time; not after the reply is late or not wanted any more. */
async function pause({ service, asked: { signal }, watchdog }: Wait, time: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = service.clock.after(time, resolve);
  const onAbort = (): void => resolve();
  signal.addEventListener("abort", onAbort, { once: true });
  watchdog.onLate(resolve);
  watchdog.wait();
  await promise;
  stop();
  signal.removeEventListener("abort", onAbort);
}

/** Waits before a repeat, or throws what cannot be repeated. */
async function beforeRepeat(wait: Wait, error: ServiceError, failures: number): Promise<void> {
  const unavailable = new TelexError("ai_unavailable", { cause: error });
  if (!error.isTransient || failures > wait.service.retries) throw unavailable;
  await pause(wait, error.retryAfter > 0 ? error.retryAfter : firstPause * 2 ** (failures - 1));
  wait.asked.signal.throwIfAborted();
  if (wait.watchdog.isLate()) throw unavailable;
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
    if (
      chunks.some(({ delta, calls, finish, isLast }) => delta !== "" || calls.length > 0 || finish !== null || isLast)
    )
      return chunks;
  }
  throw brokenOff();
}

const keyOf = (service: Service): Promise<string> =>
  service.key().catch(() => {
    throw new ServiceError("The key of the AI service could not be read.");
  });

/** Asks until the first piece has come; after it, a failure is not repeated. */
async function begin(model: Model, wait: Wait): Promise<Begun> {
  const { service, asked, watchdog } = wait;
  for (let failures = 1; ; failures += 1) {
    let stream: ChunkStream | null = null;
    try {
      const key = await keyOf(service);
      asked.signal.throwIfAborted();
      stream = openStream(service, { model, asked, key }, watchdog);
      return { stream, first: await firstOf(stream) };
    } catch (cause) {
      stream?.end();
      asked.signal.throwIfAborted();
      await beforeRepeat(wait, networkError(cause), failures);
    }
  }
}

async function* replyOf(
  service: Service,
  model: Model,
  counter: TokenCounter,
  request: ChatRequest,
): AsyncGenerator<ChatPart> {
  const watchdog = createWatchdog(service.timeouts, service.clock);
  const most = request.maxOutputTokens * unitsPerToken;
  const progress: Progress = { answer: "", finish: null, usage: null };
  let stream: ChunkStream | null = null;
  try {
    const begun = await begin(model, { service, asked: request, watchdog });
    stream = begun.stream;
    let chunks: readonly Chunk[] | null = begun.first;
    while (chunks !== null) {
      for (const part of partsOf(chunks, progress, most)) yield part;
      chunks = progress.answer.length > most ? null : await stream.next();
    }
    if (progress.finish === null) throw brokenOff();
  } catch (cause) {
    request.signal.throwIfAborted();
    // With a finish nothing but the usage is missing.
    if (TelexError.is(cause)) throw cause;
    if (progress.finish === null) throw new TelexError("ai_unavailable", { cause: networkError(cause) });
  } finally {
    stream?.end();
    watchdog.end();
  }
  yield await endOf(progress, request, counter);
}

/** A model of a service. */
export const createModel = (service: Service, model: Model, counter: TokenCounter): ChatModel => ({
  contextTokens: model.contextTokens,
  maxOutputTokens: model.maxOutputTokens,
  takesImages: model.images,
  takesTools: model.tools,
  countTokens: (text) => counter.count(text),
  reply: (request) => replyOf(service, model, counter, request),
});
