import { type EmbeddingModel, type EmbeddingRequest, type Embeddings, TelexError } from "@telex/core";
import { withRepeats } from "./attempts.ts";
import { createHeldBytes, mostNumbers, numberBytes, overhead, splitBody } from "./embedding-body.ts";
import { field, isCount } from "./fields.ts";
import type { OpenAiEmbeddingModelOptions } from "./options.ts";
import type { Service } from "./request.ts";
import { networkError, readJson } from "./service-error.ts";
import type { TokenCounter } from "./tokens.ts";
import { vectorsOf } from "./vectors.ts";
import { createWatchdog } from "./watchdog.ts";
import { readWhole } from "./whole-body.ts";

/** Maximum bytes of a response: 2048 vectors of 3072 numbers in base64 take 33 million. */
const maxBytes = 50_000_000;

async function usageOf(
  body: unknown,
  inputs: EmbeddingRequest["inputs"],
  counter: TokenCounter,
): Promise<Embeddings["usage"]> {
  const promptTokens = field(field(body, "usage"), "prompt_tokens");
  if (isCount(promptTokens)) return { promptTokens, estimated: false };
  await counter.ready();
  const counts = inputs.map((input) => (typeof input === "string" ? counter.count(input) : input.length));
  return { promptTokens: counts.reduce((sum, count) => sum + count, 0), estimated: true };
}

/** Reads a response of at most `most` bytes, and calls `came` with the bytes that have come. */
type Read = (most: number, came: (bytes: number) => void) => Promise<Buffer>;

/** A model, and the bytes that its callers hold. */
interface Embedding {
  readonly service: Service;
  readonly model: string;
  readonly counter: TokenCounter;
  readonly hold: ReturnType<typeof createHeldBytes>;
}

async function ask({ counter, hold }: Embedding, { inputs, dimensions }: EmbeddingRequest, read: Read) {
  const most = Math.min(maxBytes, overhead.response + inputs.length * (dimensions ?? mostNumbers) * numberBytes);
  const held = hold();
  try {
    const body = await read(most, (bytes) => held.add(bytes));
    const { rest, vectors: texts } = splitBody(body.toString("utf8"), inputs.length);
    const answer = readJson(rest, "a body");
    const vectors = await vectorsOf(field(answer, "data"), texts, inputs.length);
    return { vectors, usage: await usageOf(answer, inputs, counter) };
  } finally {
    held.end();
  }
}

async function embed(embedding: Embedding, asked: EmbeddingRequest): Promise<Embeddings> {
  const { service, model } = embedding;
  const { inputs, dimensions, signal } = asked;
  const watchdog = createWatchdog(service.timeouts, service.clock);
  // Base64 is a third as long; the official clients ask for it, too. Services that do not know it send lists.
  const body = JSON.stringify({ model, input: inputs, encoding_format: "base64", dimensions });
  const wait = { service, retries: service.retries, signal, watchdog };
  try {
    return await withRepeats(wait, async (key) => {
      const request = { path: "/embeddings", accept: "application/json", body, key } as const;
      return await ask(embedding, asked, (most, came) => readWhole(wait, request, most, came));
    });
  } catch (cause) {
    signal.throwIfAborted();
    throw TelexError.is(cause) ? cause : new TelexError("ai_unavailable", { cause: networkError(cause) });
  } finally {
    watchdog.end();
  }
}

/** A model of a service that turns texts into vectors. */
export function createEmbeddingModel(
  service: Service,
  { model, inputTokens }: Required<OpenAiEmbeddingModelOptions>,
  counter: TokenCounter,
): EmbeddingModel {
  const embedding = { service, model, counter, hold: createHeldBytes() };
  return {
    inputTokens,
    countTokens: (text) => counter.count(text),
    embed: (request) => embed(embedding, request),
  };
}
