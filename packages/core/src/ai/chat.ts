import type { z } from "zod";
import { TelexError } from "../errors.ts";
import type { AiContract, ChatEvent } from "./contract.ts";
import { fitPrompt } from "./context.ts";
import type { ChatMessage, ChatModel, ChatUsage, ModelFinish } from "./model.ts";
import { type QuotaDependencies, reserveShare, type Share } from "./quota.ts";
import type { ConversationMessageRecord, ConversationRecord } from "./store.ts";

/** What chatting needs. */
export interface ChatDependencies extends QuotaDependencies {
  /** By name; the first one is the default. */
  readonly models: ReadonlyMap<string, ChatModel>;
  /** Aborted when the instance closes. */
  readonly closing: AbortSignal;
  /** Says that a reply is under way; the returned function, that it is over. */
  readonly begin: () => () => void;
}

type ChatInput = z.output<AiContract["chat"]["input"]>;

/** A chat whose model, conversation and share are settled: the model is asked next. */
interface Chat {
  readonly userId: number;
  readonly content: string;
  readonly model: ChatModel;
  readonly modelName: string;
  readonly maxOutputTokens: number;
  readonly messages: readonly ChatMessage[];
  readonly share: Share;
  /** Null until the first piece of the reply has come: a chat that fails leaves no conversation. */
  readonly conversation: ConversationRecord | null;
  readonly askedAt: number;
}

const titleLength = 60;

/** The first line of a first message, cut at a code point. */
const titleOf = (content: string): string => {
  const [line = ""] = content.trim().split("\n", 1);
  const points = [...line];
  return points.length > titleLength ? `${points.slice(0, titleLength - 1).join("")}…` : line || "…";
};

/** Messages in turns: a question with its answer. */
function turnsOf(newestFirst: readonly ConversationMessageRecord[]): ChatMessage[][] {
  const turns: ChatMessage[][] = [];
  for (const { role, content } of newestFirst.toReversed()) {
    if (role === "user") turns.push([{ role, content }]);
    else turns.at(-1)?.push({ role, content });
  }
  return turns;
}

async function loadTurns({ store, limits }: ChatDependencies, conversation: ConversationRecord | null): Promise<ChatMessage[][]> {
  if (conversation === null) return [];
  const { id: conversationId, userId } = conversation;
  const page = await store.pageTurns({ conversationId, userId, before: null, limit: limits.chatTurns * 2 });
  return turnsOf(page?.messages ?? []);
}

async function findConversation({ store }: ChatDependencies, userId: number, id: number | null): Promise<ConversationRecord | null> {
  if (id === null) return null;
  const conversation = await store.findConversation({ conversationId: id, userId });
  if (conversation === null) throw new TelexError("not_found");
  return conversation;
}

/** The default where no model is named; `not_found` where there is none of this name. */
function chooseModel({ models }: ChatDependencies, name: string | null): [string, ChatModel] {
  const [fallback] = models;
  if (fallback === undefined) throw new TelexError("ai_unavailable");
  const chosen = name === null ? fallback[1] : models.get(name);
  if (chosen === undefined) throw new TelexError("not_found", { reason: "model_unknown", params: { model: name ?? "" } });
  return [name ?? fallback[0], chosen];
}

/**
 * Prepares a reply: everything that can refuse it happens before the model is called.
 * @throws TelexError `not_found`, `quota_exceeded`, `ai_unavailable`
 */
async function prepare(deps: ChatDependencies, userId: number, input: ChatInput): Promise<Chat> {
  const conversation = await findConversation(deps, userId, input.conversationId ?? null);
  const [modelName, model] = chooseModel(deps, input.model ?? null);
  const maxOutputTokens = Math.min(input.maxOutputTokens ?? model.maxOutputTokens, model.maxOutputTokens);
  const turns = await loadTurns(deps, conversation);
  const prompt = { systemPrompt: input.systemPrompt ?? null, turns, content: input.content };
  const messages = fitPrompt(prompt, model, maxOutputTokens);
  const share = await reserveShare(deps, userId, maxOutputTokens);
  const { content } = input;
  return { userId, content, model, modelName, maxOutputTokens, messages, share, conversation, askedAt: deps.clock.now() };
}

interface Reply {
  conversation: ConversationRecord | null;
  answer: string;
  usage: ChatUsage | null;
  finishReason: ModelFinish | "stopped" | null;
}

/** What a reply used as far as it came, counted here. */
const counted = ({ model, messages }: Chat, answer: string): ChatUsage => ({
  promptTokens: messages.reduce((sum, { content }) => sum + model.countTokens(content), 0),
  completionTokens: model.countTokens(answer),
  estimated: true,
});

/** Settles the share and keeps the turn, together: a complete reply counts as one, and its tokens count in any case. */
async function conclude({ store, clock }: ChatDependencies, chat: Chat, reply: Reply): Promise<ChatUsage> {
  const usage = reply.usage ?? counted(chat, reply.answer);
  const tokens = usage.promptTokens + usage.completionTokens;
  const complete = reply.finishReason !== null && reply.finishReason !== "stopped";
  const settled = chat.share.settle({ replies: complete ? 1 : 0, tokens });
  const { conversation } = reply;
  const kept =
    conversation === null || reply.answer === ""
      ? null
      : store.appendTurn({
          conversationId: conversation.id,
          userId: chat.userId,
          model: chat.modelName,
          question: chat.content,
          answer: reply.answer,
          finishReason: reply.finishReason ?? "failed",
          tokens,
          askedAt: chat.askedAt,
          answeredAt: clock.now(),
        });
  await Promise.all([settled, kept]);
  return usage;
}

async function startConversation({ store, clock }: ChatDependencies, chat: Chat): Promise<ConversationRecord> {
  return store.appendConversation({
    userId: chat.userId,
    title: titleOf(chat.content),
    status: 0,
    defaultModel: chat.modelName,
    lastMessage: clock.now(),
    totalToken: 0,
  });
}

async function* ask(deps: ChatDependencies, chat: Chat, reply: Reply, signal: AbortSignal): AsyncGenerator<ChatEvent> {
  const { model, messages, maxOutputTokens } = chat;
  for await (const part of model.reply({ messages, maxOutputTokens, signal })) {
    if (part.kind === "end") {
      reply.usage = part.usage;
      reply.finishReason = part.finishReason;
      continue;
    }
    reply.conversation ??= await startConversation(deps, chat);
    reply.answer += part.delta;
    yield { kind: "delta", conversationId: reply.conversation.id, delta: part.delta };
  }
}

/** The reply of a prepared chat. However it ends, its share is settled. */
async function* run(deps: ChatDependencies, chat: Chat, signal: AbortSignal): AsyncGenerator<ChatEvent> {
  const stopping = new AbortController();
  const ending = AbortSignal.any([signal, deps.closing, stopping.signal]);
  const reply: Reply = { conversation: chat.conversation, answer: "", usage: null, finishReason: null };
  const over = deps.begin();
  let concluded = false;
  const end = async (): Promise<ChatUsage> => {
    concluded = true;
    return conclude(deps, chat, reply);
  };
  const expired = deps.clock.after(deps.limits.replyTime, () => stopping.abort());
  try {
    yield* ask(deps, chat, reply, ending);
    if (reply.finishReason === null) throw new TelexError("ai_unavailable", { cause: new Error("The reply has no end.") });
    reply.conversation ??= await startConversation(deps, chat);
    yield result(reply, await end());
  } catch (error) {
    if (concluded) throw error;
    if (!ending.aborted) {
      await end();
      throw TelexError.is(error) ? error : new TelexError("ai_unavailable", { cause: error });
    }
    reply.finishReason = "stopped";
    reply.conversation ??= await startConversation(deps, chat);
    yield result(reply, await end());
  } finally {
    expired();
    stopping.abort();
    // The reader went away in the middle.
    if (!concluded) {
      reply.finishReason = "stopped";
      await end();
    }
    over();
  }
}

function result({ conversation, answer, finishReason }: Reply, usage: ChatUsage): ChatEvent {
  return {
    kind: "result",
    conversationId: conversation?.id ?? 0,
    content: answer,
    finishReason: finishReason ?? "stopped",
    usage: { ...usage, totalTokens: usage.promptTokens + usage.completionTokens },
  };
}

/** Asks a model. The share is set aside, and everything refused that is to be refused, before this resolves. */
export async function chat(
  deps: ChatDependencies,
  userId: number,
  input: ChatInput,
  signal: AbortSignal,
): Promise<AsyncIterable<ChatEvent>> {
  const prepared = await prepare(deps, userId, input);
  return run(deps, prepared, signal);
}
