import type { QuotedFiles } from "@telex/files";
import { TelexError } from "@telex/ground/errors";
import { countMessage } from "./context.ts";
import type { EmbeddingModel } from "./embedding-model.ts";
import type {
  ChatMessage,
  ChatModel,
  ChatPart,
  ChatUsage,
  ModelFinish,
  ReplyOptions,
  ReplyPerson,
  ReplyStep,
  ToolCall,
  ToolCallPart,
} from "./model.ts";
import type { Observer } from "../observe/observer.ts";
import { type QuotaDeps, reserveShare, type Share } from "./quota/quota.ts";
import type { Settlement, Turn } from "../records/ai.ts";
import type { ToolUse } from "../records/tool-use.ts";
import { type KeptShare, keepShare, type RetriedFailure } from "./quota/keep-share.ts";
import { createReplyProgress, type ReplyProgress } from "./reply-progress.ts";

/** How the person of a reply is asked about tools. Without it, the operator's tools are not offered. */
export type ReplyHands = Omit<ReplyPerson, "userId" | "step">;

export interface ReplyDeps extends QuotaDeps {
  /** By name; the first one is the default. */
  readonly models: ReadonlyMap<string, ChatModel>;
  /** By name. No name is also in `models`. */
  readonly embeddingModels: ReadonlyMap<string, EmbeddingModel>;
  readonly quotedFiles: QuotedFiles;
  readonly closing: AbortSignal;
  readonly begin: () => () => void;
  readonly observer: Pick<Observer, "reply">;
  readonly saveFailed: RetriedFailure;
}

/** A model that is asked, by its name. */
export interface Chosen {
  readonly modelName: string;
  readonly model: ChatModel;
  readonly maxOutputTokens: number;
}

/** A question whose share of the quota is reserved. The model is asked next. */
export interface Question extends Chosen {
  readonly userId: number;
  readonly messages: readonly ChatMessage[];
  readonly options: ReplyOptions;
  readonly share: Share;
  readonly hands?: ReplyHands | undefined;
  /** Unix milliseconds. */
  readonly askedAt: number;
}

/** The reason why a reply ended; `failed` if the model failed. */
export type ReplyFinish = ModelFinish | "stopped" | "failed";

interface EndedReply {
  /** The name of the model that replied. */
  readonly model: string;
  readonly answer: string;
  readonly toolCalls: readonly ToolCall[];
  readonly uses: readonly ToolUse[];
  readonly usage: ChatUsage;
  readonly finishReason: ReplyFinish;
}

/** The form that a kind of conversation gives to a reply. */
export interface ReplyShape<E> {
  delta(delta: string): E | Promise<E>;
  /** A model of several replies. Left out if the caller need not know before the end. */
  readonly answering?: (model: string) => E;
  /** A piece of a call has come. Left out where no tools are offered. */
  readonly toolCall?: (part: ToolCallPart) => E;
  /** The event for a new state of a call of a tool. Null if callers get none. */
  readonly toolUse?: (use: ToolUse) => E | Promise<E | null> | null;
  /** The reply is over, whole or stopped: its last event. */
  result(reply: EndedReply): E | Promise<E>;
  /** The turn to store for a reply, however it ended; null to store none. */
  turn(reply: EndedReply): Turn | null;
}

/**
 * The named model, or the default model if the caller names no model.
 * @throws TelexError `ai_unavailable` if the instance has no models, `not_found` if no model has this name
 */
export function chooseModel(
  { models }: Pick<ReplyDeps, "models">,
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

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const countCalls = (model: ChatModel, calls: readonly ToolCall[]): number =>
  sum(calls.map((call) => model.countTokens(call.name) + model.countTokens(call.arguments)));

export function countPrompt(model: ChatModel, { messages, options }: Pick<Question, "messages" | "options">): number {
  const countWhole = (message: ChatMessage): number =>
    countMessage(model, message) + countCalls(model, message.toolCalls ?? []);
  const { tools, responseFormat } = options;
  const schemas = (tools ?? responseFormat) ? model.countTokens(JSON.stringify({ tools, responseFormat })) : 0;
  return sum(messages.map(countWhole)) + schemas;
}

/**
 * Sets a share aside for asking a model.
 * @throws TelexError `quota_exceeded`
 */
export async function prepareQuestion(
  deps: ReplyDeps,
  userId: number,
  chosen: Chosen,
  messages: readonly ChatMessage[],
  options: ReplyOptions = {},
  hands?: ReplyHands,
): Promise<Question> {
  const tokens = { prompt: countPrompt(chosen.model, { messages, options }), output: chosen.maxOutputTokens };
  const share = await reserveShare(deps, userId, { ...tokens, life: deps.limits.replyLease });
  return { ...chosen, userId, messages, options, share, hands, askedAt: deps.clock.now() };
}

/** The steps of a reply: the tokens of each one are set aside before it begins. */
function createSteps(
  { model, share, hands, userId, messages, options, maxOutputTokens }: Question,
  heard: ReplyProgress,
) {
  let prompt = { messages, options };
  let used = { promptTokens: 0, completionTokens: 0 };
  let from = 0;
  const step = async (next: ReplyStep): Promise<void> => {
    prompt = { messages: next.messages, options: { tools: next.tools } };
    [used, from] = [next.used, heard.answer().length];
    await share.step({ prompt: countPrompt(model, prompt), output: maxOutputTokens, spent: tokensOf(used) });
  };
  return {
    person: hands && { ...hands, userId, step },
    /** The usage, also if the model does not report it. */
    usage: (): ChatUsage =>
      heard.usage() ?? {
        promptTokens: used.promptTokens + countPrompt(model, prompt),
        completionTokens:
          used.completionTokens + model.countTokens(heard.answer().slice(from)) + countCalls(model, heard.toolCalls()),
        estimated: true,
      },
  };
}

type Steps = ReturnType<typeof createSteps>;

export const tokensOf = (used: Pick<ChatUsage, "promptTokens" | "completionTokens">): number =>
  used.promptTokens + used.completionTokens;

/**
 * The state of a reply, and how it is settled: a complete reply counts as one, and its tokens count in any case. If the model
 * failed before its first piece, nothing counts.
 */
function endAs<E>(
  question: Question,
  { progress, steps }: { readonly progress: ReplyProgress; readonly steps: Steps },
  finishReason: ReplyFinish,
  shape: ReplyShape<E>,
): { readonly reply: EndedReply; readonly settlement: Settlement } {
  const [answer, toolCalls] = [progress.answer(), progress.toolCalls()];
  const usage = steps.usage();
  const model = progress.answering() ?? question.modelName;
  const reply = { model, answer, toolCalls, uses: progress.uses(), usage, finishReason };
  const complete = finishReason !== "stopped" && finishReason !== "failed";
  const hasBegun = progress.hasBegun() || finishReason !== "failed";
  const tokens = tokensOf(usage);
  const used = hasBegun ? { replies: complete ? 1 : 0, tokens, started: 1 } : { replies: 0, tokens: 0, started: 0 };
  return { reply, settlement: { used, turn: shape.turn(reply) } };
}

function tell({ observer, clock }: ReplyDeps, { askedAt }: Question, reply: EndedReply): void {
  const { promptTokens, completionTokens } = reply.usage;
  const ms = clock.now() - askedAt;
  observer.reply?.({ model: reply.model, finish: reply.finishReason, ms, promptTokens, completionTokens });
}

/** The error of a model, as callers see it. */
export const unavailable = (cause: unknown): TelexError =>
  TelexError.is(cause) ? cause : new TelexError("ai_unavailable", { cause });

/** The event for a part of a reply; null for a part that callers do not get. */
function eventOf<E>(shape: ReplyShape<E>, part: ChatPart, heard: string | ToolCallPart | null): E | Promise<E> | null {
  if (part.kind === "answering") return shape.answering?.(part.model) ?? null;
  if (typeof heard === "string") return shape.delta(heard);
  return heard === null ? null : (shape.toolCall?.(heard) ?? null);
}

/** The event for a call of a tool. A call is stored before it begins: if this server is killed, the message says that it may have happened. */
async function noteUse<E>(shape: ReplyShape<E>, use: ToolUse, share: Pick<KeptShare, "now">): Promise<E | null> {
  const event = (await shape.toolUse?.(use)) ?? null;
  if (use.state === "called") await share.now();
  return event;
}

/**
 * The reply to a question, event by event. However it ends, also when its reader goes away, the model is stopped and the
 * share is settled.
 * @throws TelexError `ai_unavailable`
 */
export async function* streamReply<E>(
  deps: ReplyDeps,
  question: Question,
  shape: ReplyShape<E>,
  signal: AbortSignal,
): AsyncGenerator<E> {
  const { messages, maxOutputTokens } = question;
  const stopping = new AbortController();
  const ending = AbortSignal.any([signal, deps.closing, stopping.signal]);
  const progress = createReplyProgress(question.options.stop ?? []);
  const steps = createSteps(question, progress);
  const soFar = { progress, steps };
  const over = deps.begin();
  const expired = deps.clock.after(deps.limits.replyTime, () => stopping.abort());
  // If this server is killed, another one keeps the reply as if the model had failed.
  const share = keepShare(deps, question.share, {
    soFar: () => endAs(question, soFar, "failed", shape).settlement,
    lost: () => stopping.abort(),
  });
  let [concluded, hasSpoken] = [false, false];
  const end = async (finish: ReplyFinish): Promise<EndedReply> => {
    concluded = true;
    share.end();
    const { reply, settlement } = endAs(question, soFar, finish, shape);
    const isKept = await question.share.settle(settlement);
    // Another server has assumed that this one is gone, and stored the reply so far.
    const ended: EndedReply = isKept ? reply : { ...reply, finishReason: "stopped" };
    tell(deps, question, ended);
    return ended;
  };
  try {
    // Not in a generator of its own: each layer costs as much as reading the piece.
    const request = { ...question.options, messages, maxOutputTokens, person: steps.person, signal: ending };
    for await (const part of question.model.reply(request)) {
      const heard = progress.hear(part);
      const event = part.kind === "tool_use" ? await noteUse(shape, part.use, share) : eventOf(shape, part, heard);
      if (heard !== null && !hasSpoken) {
        // A reply is stored in its conversation, which the first event creates.
        await event;
        hasSpoken = true;
        share.said();
      }
      if (event !== null) yield event;
      if (progress.isStopped()) break;
    }
    const finishReason = progress.finishReason();
    if (finishReason === null) throw new Error("The reply has no end.");
    yield shape.result(await end(finishReason));
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
    // Without a conclusion, the reader left before the end.
    if (!concluded) await end("stopped").finally(over);
    over();
  }
}
