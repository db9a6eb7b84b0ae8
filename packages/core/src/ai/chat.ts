import type { z } from "zod";
import { readQuestionFiles, recallFiles, withFiles } from "@telex/files";
import type { QuestionFile } from "@telex/files/records";
import { TelexError } from "@telex/ground/errors";
import { fitPrompt, turnsOf } from "./context.ts";
import type { AiContract, ChatEvent } from "./contract.ts";
import type { ChatMessage } from "./model.ts";
import { assertFits, assertTakes } from "./complete.ts";
import {
  chooseModel,
  type Chosen,
  prepareQuestion,
  type Question,
  type ReplyFinish,
  type ReplyDeps,
  type ReplyShape,
  streamReply,
  tokensOf,
} from "./reply.ts";
import type { ConversationMessageRecord, ConversationRecord } from "../records/ai.ts";
import type { ToolUse } from "../records/tool-use.ts";

type ChatInput = z.output<AiContract["chat"]["input"]>;

const titleLength = 60;

/** The title of a conversation: the first line of its first message, cut at a code point. */
const titleOf = (content: string): string => {
  const [line = ""] = content.trim().split("\n", 1);
  const points = [...line];
  return points.length > titleLength ? `${points.slice(0, titleLength - 1).join("")}…` : line || "…";
};

function assertQuestion(message: ConversationMessageRecord | undefined, id: number): void {
  if (message?.id !== id || message.role !== "user")
    throw new TelexError("not_found", { reason: "question_unknown", params: { messageId: id } });
}

/**
 * The messages before an edited question, newest first; all without an edited question.
 * @throws TelexError `not_found` if the conversation has no question `edited`
 */
async function loadEarlier(
  { store, limits }: ReplyDeps,
  conversation: ConversationRecord | null,
  edited: number | null,
): Promise<readonly ConversationMessageRecord[]> {
  const before = edited === null ? null : edited + 1;
  const limit = limits.chatTurns * 2 + 1;
  const page =
    conversation &&
    (await store.pageTurns({ conversationId: conversation.id, userId: conversation.userId, before, limit }));
  const messages = page?.messages ?? [];
  if (edited === null) return messages;
  assertQuestion(messages[0], edited);
  return messages.slice(1);
}

async function findConversation(
  { store }: ReplyDeps,
  userId: number,
  id: number | null,
): Promise<ConversationRecord | null> {
  if (id === null) return null;
  const conversation = await store.findConversation({ conversationId: id, userId });
  if (conversation === null) throw new TelexError("not_found");
  return conversation;
}

interface Chat extends Question, Pick<ChatInput, "content" | "replaces"> {
  readonly conversation: ConversationRecord | null;
  readonly files: readonly QuestionFile[];
}

/** The new question with its files. @throws TelexError `invalid_request` if the model takes no files, or fewer */
async function readAsked(deps: ReplyDeps, userId: number, chosen: Chosen, { content, files = [] }: ChatInput) {
  const { stored, parts } = await readQuestionFiles(deps.quotedFiles, userId, files);
  const question = withFiles(content, parts);
  const message: ChatMessage = { role: "user", ...question };
  if (files.length > 0) {
    assertTakes(chosen, [message], {}, "files");
    assertFits(chosen.model, { messages: [message], options: {} });
  }
  return { asked: question, stored };
}

/**
 * Prepares a reply: every check that can refuse it runs before the model is called.
 * @throws TelexError `not_found`, `quota_exceeded`, `ai_unavailable`, and what its files throw
 */
async function prepare(deps: ReplyDeps, userId: number, input: ChatInput): Promise<Chat> {
  const { content, systemPrompt = null, tools, replaces } = input;
  const conversation = await findConversation(deps, userId, input.conversationId ?? null);
  const chosen = chooseModel(deps, input.model ?? null, input.maxOutputTokens ?? null);
  const earlier = await loadEarlier(deps, conversation, replaces?.from ?? null);
  const { asked, stored } = await readAsked(deps, userId, chosen, input);
  const takesImages = chosen.model.takesImages === true;
  const turns = turnsOf(await recallFiles(deps.quotedFiles, { userId, takesImages }, earlier));
  const messages = fitPrompt({ systemPrompt, turns, asked }, chosen.model, chosen.maxOutputTokens);
  const hands = { place: "chat", ...(tools && { ask: () => Promise.resolve() }) } as const;
  const question = await prepareQuestion(deps, userId, chosen, messages, {}, hands);
  return { ...question, content, conversation, replaces, files: stored };
}

/** The words for the end of a reply without tools. */
const toFinish = (finish: ReplyFinish): Extract<ChatEvent, { kind: "result" }>["finishReason"] => {
  if (finish === "failed") return "stopped";
  return finish === "tool_calls" ? "stop" : finish;
};

/** The event for a call of a tool; null for a step that callers do not see. */
function toolEvent({ callId, state, ms, ...use }: ToolUse, conversationId: number): ChatEvent | null {
  const { server, tool } = use;
  if (state === "called") return null;
  if (state === "asked") return { kind: "toolRequest", conversationId, callId, ...use };
  return { kind: "tool", conversationId, callId, name: `${server}.${tool}`, ok: state === "done", ms };
}

/** A reply that becomes a turn of its conversation. A chat that fails before its first piece leaves no conversation. */
function inConversation({ store, clock }: ReplyDeps, chat: Chat): ReplyShape<ChatEvent> {
  const { userId, modelName, content, replaces, files, askedAt } = chat;
  let conversation = chat.conversation;
  const start = async (): Promise<number> => {
    const begun = { userId, title: titleOf(content), defaultModel: modelName, lastMessage: clock.now() };
    conversation ??= await store.appendConversation({ ...begun, status: 0, totalToken: 0 });
    return conversation.id;
  };
  return {
    delta(delta) {
      if (conversation !== null) return { kind: "delta", conversationId: conversation.id, delta };
      return start().then((conversationId) => ({ kind: "delta", conversationId, delta }));
    },
    async toolUse(use) {
      const conversationId = await start();
      return chat.hands?.ask === undefined ? null : toolEvent(use, conversationId);
    },
    async result({ answer, usage, finishReason }) {
      const conversationId = await start();
      const counted = { ...usage, totalTokens: tokensOf(usage) };
      return { kind: "result", conversationId, content: answer, finishReason: toFinish(finishReason), usage: counted };
    },
    turn({ model, answer, uses, usage, finishReason }) {
      if ((answer === "" && uses.length === 0) || conversation === null) return null;
      const key = { conversationId: conversation.id, userId, model };
      const filed = files.length > 0 && { files: JSON.stringify(files) };
      const usedTools = uses.length > 0 && { uses: JSON.stringify(uses) };
      const record = { question: content, answer, finishReason, ...usedTools, tokens: tokensOf(usage) };
      return { ...key, ...record, ...(replaces && { replaces }), ...filed, askedAt, answeredAt: clock.now() };
    },
  };
}

/** Asks a model. When this resolves, the share is reserved, and all checks have passed. */
export async function startChat(
  deps: ReplyDeps,
  userId: number,
  input: ChatInput,
  signal: AbortSignal,
): Promise<AsyncIterable<ChatEvent>> {
  const prepared = await prepare(deps, userId, input);
  return streamReply(deps, prepared, inConversation(deps, prepared), signal);
}
