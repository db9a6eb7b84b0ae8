import { TelexError } from "../errors.ts";
import type { ChatMessage, ChatModel, ChatPart, ChatUsage, ModelFinish } from "./model.ts";
import { type QuotaDependencies, reserveShare, type Share } from "./quota.ts";
import { createTextPieces, type TextPieces } from "./text-pieces.ts";

/** What asking a model needs. */
export interface ReplyDependencies extends QuotaDependencies {
  /** By name; the first one is the default. */
  readonly models: ReadonlyMap<string, ChatModel>;
  /** Aborted when the instance closes. */
  readonly closing: AbortSignal;
  /** Says that a reply is under way; the returned function, that it is over. */
  readonly begin: () => () => void;
}

/** A model that was chosen, and how long its reply may be. */
export interface Chosen {
  readonly modelName: string;
  readonly model: ChatModel;
  readonly maxOutputTokens: number;
}

/** A question whose share of the quota is set aside: the model is asked next. */
export interface Question extends Chosen {
  readonly userId: number;
  readonly messages: readonly ChatMessage[];
  readonly share: Share;
  /** Unix milliseconds. */
  readonly askedAt: number;
}

/** Why a reply ended; `failed` where the model did. */
export type ReplyFinish = ModelFinish | "stopped" | "failed";

/** A reply that is over. */
export interface EndedReply {
  readonly answer: string;
  readonly usage: ChatUsage;
  readonly finishReason: ReplyFinish;
}

/** What a kind of conversation makes of a reply. */
export interface ReplyShape<E> {
  /** A piece has come. */
  delta(delta: string): E | Promise<E>;
  /** The reply is over, whole or stopped: its last event. */
  result(reply: EndedReply): E | Promise<E>;
  /** Keeps what is to be kept of a reply, however it ended, beside the settlement. */
  keep(reply: EndedReply): Promise<unknown>;
}

/**
 * The named model, or the default where none is named.
 * @throws TelexError `ai_unavailable` where there is none at all, `not_found` where there is none of this name
 */
export function chooseModel(
  { models }: Pick<ReplyDependencies, "models">,
  name: string | null,
  maxOutputTokens: number | null,
): Chosen {
  const [fallback] = models;
  if (fallback === undefined) throw new TelexError("ai_unavailable");
  const model = name === null ? fallback[1] : models.get(name);
  if (model === undefined)
    throw new TelexError("not_found", { reason: "model_unknown", params: { model: name ?? "" } });
  const max = Math.min(maxOutputTokens ?? model.maxOutputTokens, model.maxOutputTokens);
  return { modelName: name ?? fallback[0], model, maxOutputTokens: max };
}

/** Tokens of messages, counted here. */
export const countPrompt = (model: ChatModel, messages: readonly ChatMessage[]): number =>
  messages.reduce((sum, { content }) => sum + model.countTokens(content), 0);

/**
 * Sets a share aside for asking a model.
 * @throws TelexError `quota_exceeded`
 */
export async function prepareQuestion(
  deps: ReplyDependencies,
  userId: number,
  chosen: Chosen,
  messages: readonly ChatMessage[],
): Promise<Question> {
  const tokens = { prompt: countPrompt(chosen.model, messages), output: chosen.maxOutputTokens };
  const share = await reserveShare(deps, userId, tokens);
  return { ...chosen, userId, messages, share, askedAt: deps.clock.now() };
}

/** A reply as far as it has come. */
interface Progress {
  readonly text: TextPieces;
  answer: string;
  /** True once the model has said anything. */
  hasBegun: boolean;
  usage: ChatUsage | null;
  finishReason: ModelFinish | null;
}

/**
 * Settles the share and keeps the reply, together: a complete reply counts as one, and its tokens count in any case. If the
 * model failed before its first piece, nothing counts.
 */
async function conclude<E>(
  question: Question,
  { answer, ...progress }: Progress,
  finishReason: ReplyFinish,
  shape: ReplyShape<E>,
): Promise<EndedReply> {
  const { model, messages, share } = question;
  const usage = progress.usage ?? {
    promptTokens: countPrompt(model, messages),
    completionTokens: model.countTokens(answer),
    estimated: true,
  };
  const reply = { answer, usage, finishReason };
  const complete = finishReason !== "stopped" && finishReason !== "failed";
  const hasBegun = progress.hasBegun || finishReason !== "failed";
  const tokens = usage.promptTokens + usage.completionTokens;
  const used = hasBegun ? { replies: complete ? 1 : 0, tokens, started: 1 } : { replies: 0, tokens: 0, started: 0 };
  await Promise.all([share.settle(used), shape.keep(reply)]);
  return reply;
}

/** Takes a piece of a reply in; null where nothing is to be told of it. */
function hear<E>(part: ChatPart, progress: Progress, shape: ReplyShape<E>): E | Promise<E> | null {
  progress.hasBegun = true;
  if (part.kind === "end") {
    progress.usage = part.usage;
    progress.finishReason = part.finishReason;
  }
  const delta = part.kind === "end" ? progress.text.end() : progress.text.add(part.delta);
  progress.answer += delta;
  return delta === "" ? null : shape.delta(delta);
}

const unavailable = (cause: unknown): TelexError =>
  TelexError.is(cause) ? cause : new TelexError("ai_unavailable", { cause });

/**
 * The reply to a question, event by event. However it ends, also when its reader goes away, the model is stopped and the
 * share is settled.
 * @throws TelexError `ai_unavailable`
 */
export async function* streamReply<E>(
  deps: ReplyDependencies,
  question: Question,
  shape: ReplyShape<E>,
  signal: AbortSignal,
): AsyncGenerator<E> {
  const { messages, maxOutputTokens } = question;
  const stopping = new AbortController();
  const ending = AbortSignal.any([signal, deps.closing, stopping.signal]);
  const progress: Progress = {
    text: createTextPieces(),
    answer: "",
    hasBegun: false,
    usage: null,
    finishReason: null,
  };
  const over = deps.begin();
  const expired = deps.clock.after(deps.limits.replyTime, () => stopping.abort());
  let concluded = false;
  const end = (finish: ReplyFinish): Promise<EndedReply> => {
    concluded = true;
    return conclude(question, progress, finish, shape);
  };
  try {
    // Not in a generator of its own: each layer costs as much as reading the piece.
    for await (const part of question.model.reply({ messages, maxOutputTokens, signal: ending })) {
      const event = hear(part, progress, shape);
      if (event !== null) yield event;
    }
    if (progress.finishReason === null) throw new Error("The reply has no end.");
    yield shape.result(await end(progress.finishReason));
  } catch (error) {
    if (concluded) throw error;
    if (!ending.aborted) {
      await end("failed");
      throw unavailable(error);
    }
    yield shape.result(await end("stopped"));
  } finally {
    expired();
    stopping.abort();
    // Where nothing was concluded, the reader went away in the middle.
    if (!concluded) await end("stopped").finally(over);
    over();
  }
}
