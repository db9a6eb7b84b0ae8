import { type EmbeddingModel, type EmbeddingRequest, type Embeddings, TelexError } from "@telex/core";
import { withRepeats } from "./attempts.ts";
import { field, isCount } from "./fields.ts";
import type { OpenAiEmbeddingModelOptions } from "./options.ts";
import type { Service } from "./request.ts";
import { networkError, readJson } from "./service-error.ts";
import type { TokenCounter } from "./tokens.ts";
import { mostNumbers, vectorsOf } from "./vectors.ts";
import { createWatchdog } from "./watchdog.ts";
import { readWhole } from "./whole-body.ts";

/** Maximum bytes of a response: 2048 vectors of 3072 numbers in base64 take 33 million. */
const maxBytes = 50_000_000;
/** Bytes of a number in a list, with its comma. */
const numberBytes = 25;
/** Bytes of a response in addition to its vectors. */
const overhead = 65_536;

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

async function embed(
  service: Service,
  { model }: OpenAiEmbeddingModelOptions,
  counter: TokenCounter,
  { inputs, dimensions, signal }: EmbeddingRequest,
): Promise<Embeddings> {
  const watchdog = createWatchdog(service.timeouts, service.clock);
  // Base64 is a third as long; the official clients ask for it, too. Services that do not know it send lists.
  const body = JSON.stringify({ model, input: inputs, encoding_format: "base64", dimensions });
  const most = Math.min(maxBytes, overhead + inputs.length * (dimensions ?? mostNumbers) * numberBytes);
  const wait = { service, retries: service.retries, signal, watchdog };
  try {
    return await withRepeats(wait, async (key) => {
      const request = { path: "/embeddings", accept: "application/json", body, key } as const;
      const answer = readJson((await readWhole(wait, request, most)).toString("utf8"), "a body");
      const vectors = vectorsOf(field(answer, "data"), inputs.length);
      return { vectors, usage: await usageOf(answer, inputs, counter) };
    });
  } catch (cause) {
    signal.throwIfAborted();
    throw TelexError.is(cause) ? cause : new TelexError("ai_unavailable", { cause: networkError(cause) });
  } finally {
    watchdog.end();
  }
}

/** A model of a service that turns texts into vectors. */
export const createEmbeddingModel = (
  service: Service,
  model: Required<OpenAiEmbeddingModelOptions>,
  counter: TokenCounter,
): EmbeddingModel => ({
  inputTokens: model.inputTokens,
  countTokens: (text) => counter.count(text),
  embed: (request) => embed(service, model, counter, request),
});
