import type { z } from "zod";
import { TelexError } from "@telex/ground/errors";
import type { AiContract } from "./contract.ts";
import type { EmbeddingModel, Embeddings } from "./embedding-model.ts";
import { reserveShare } from "./quota/quota.ts";
import { type ReplyDeps, unavailable } from "./reply.ts";
import type { Usage } from "../records/ai.ts";

type EmbedInput = z.output<AiContract["embed"]["input"]>;
type EmbedOutput = z.output<AiContract["embed"]["output"]>;

function chooseEmbeddingModel({ models, embeddingModels }: ReplyDeps, name: string): EmbeddingModel {
  const model = embeddingModels.get(name);
  if (model !== undefined) return model;
  const params = { model: name, field: "model" };
  if (models.has(name)) throw new TelexError("not_found", { reason: "model_without_embeddings", params });
  throw new TelexError("not_found", { reason: "model_unknown", params });
}

/** The tokens of all inputs together, at least 1. */
function countInputs(model: EmbeddingModel, inputs: EmbedInput["input"]): number {
  let total = 0;
  for (const [index, input] of inputs.entries()) {
    const tokens = typeof input === "string" ? model.countTokens(input) : input.length;
    const max = model.inputTokens;
    if (tokens > max) {
      const params = { field: `input.${index}`, tokens, max };
      throw new TelexError("invalid_request", { reason: "input_too_long", params });
    }
    total += tokens;
  }
  return Math.max(1, total);
}

/** Refuses vectors that no caller could use: models are written by others. */
function assertVectors({ vectors }: Embeddings, { input, dimensions }: EmbedInput): void {
  if (vectors.length !== input.length) throw new Error(`The model gave ${vectors.length} vectors for ${input.length}.`);
  const length = dimensions ?? vectors[0]?.length ?? 0;
  for (const vector of vectors) {
    if (vector.length === 0 || vector.length !== length)
      throw new Error(`The model gave a vector of ${vector.length} numbers instead of ${length}.`);
    if (!vector.every(Number.isFinite)) throw new Error("The model gave a vector with a number that is not finite.");
  }
}

/** Aborts when the caller leaves, when the instance closes, and after the time that a reply may take. */
function createEnding({ clock, limits, closing }: ReplyDeps, signal: AbortSignal) {
  const late = new AbortController();
  const calm = clock.after(limits.replyTime, () => late.abort());
  return { signal: AbortSignal.any([signal, closing, late.signal]), calm };
}

const unused: Usage = { replies: 0, tokens: 0, started: 0 };

/**
 * Asks a model for the vectors of some texts. The share of the quota is set aside before the model is asked: all tokens of
 * the texts, and one reply. If the model fails, nothing counts. If the caller has left, the tokens count.
 * @throws TelexError `not_found`, `quota_exceeded`, `ai_unavailable`; `invalid_request` if a text is too long for it
 */
export async function embed(
  deps: ReplyDeps,
  userId: number,
  asked: EmbedInput,
  signal: AbortSignal,
): Promise<EmbedOutput> {
  const { model: name, input, dimensions } = asked;
  const model = chooseEmbeddingModel(deps, name);
  const tokens = countInputs(model, input);
  // Only the texts count: they must fit into the rest of the quota.
  const share = await reserveShare(deps, userId, { prompt: 0, output: tokens, life: deps.limits.reservationLife });
  const over = deps.begin();
  const askedAt = deps.clock.now();
  const ending = createEnding(deps, signal);
  let used = unused;
  try {
    const embeddings = await model.embed({ inputs: input, dimensions, signal: ending.signal });
    assertVectors(embeddings, asked);
    const { vectors, usage } = embeddings;
    used = { replies: 1, tokens: usage.promptTokens, started: 1 };
    const ms = deps.clock.now() - askedAt;
    const tokensUsed = { promptTokens: usage.promptTokens, completionTokens: 0 };
    deps.observer.reply?.({ model: name, finish: "embeddings", ms, ...tokensUsed });
    return { model: name, vectors: [...vectors], usage };
  } catch (cause) {
    if (!ending.signal.aborted) throw unavailable(cause);
    used = { replies: 0, tokens, started: 1 };
    throw new TelexError("ai_unavailable");
  } finally {
    ending.calm();
    await share.settle({ used, turn: null }).finally(over);
  }
}
