import { z } from "zod";
import {
  defineContract,
  fileId,
  id,
  idOut,
  interfaceLimits,
  list,
  text,
  tokenNumbers,
  word,
} from "@telex/ground/contract";
import { conversation, conversationMessage, foundMessage } from "./conversation-views.ts";
import { promptMessage, replyOptions } from "./prompt.ts";
import { toolUse } from "../records/tool-use.ts";

/** The unit of a quota (interface 2.4). */
export const allocationUnit = z.enum(["count", "token"]);
/** The length of a period of a quota (interface 2.4). */
export const allocationPeriod = z.enum(["daily", "weekly", "monthly"]);

/** A user's quota in the current period (interface 2.4). */
export const quota = z
  .object({
    messageCount: z.int().min(0).meta({ description: "Completed replies in this period." }),
    tokenCount: z.int().min(0).meta({ description: "Tokens in this period." }),
    allocationUnit,
    allocationMax: z.int().min(0),
    allocationPeriod,
    lastReset: z.int().meta({ description: "Start of the period, Unix milliseconds." }),
    nextReset: z.int().meta({ description: "End of the period, Unix milliseconds." }),
  })
  .meta({ id: "Quota" });

/** The tokens of a reply. `estimated`: counted here, because the model reported nothing. */
const chatUsage = z
  .object({
    promptTokens: z.int(),
    completionTokens: z.int(),
    totalTokens: z.int(),
    cachedTokens: z.int().optional(),
    reasoningTokens: z.int().optional(),
    estimated: z.boolean(),
  })
  .meta({ id: "ChatUsage" });

/** A piece of a reply, by its kind. The last one is `result`; `stopped` says that the caller stopped it. */
const chatPieces = {
  delta: z.object({ conversationId: idOut, delta: z.string() }),
  toolRequest: toolUse
    .pick({ callId: true, server: true, tool: true, arguments: true })
    .extend({ conversationId: idOut }),
  tool: toolUse.pick({ callId: true, ms: true }).extend({ conversationId: idOut, name: z.string(), ok: z.boolean() }),
  result: z.object({
    conversationId: idOut,
    content: z.string(),
    usage: chatUsage,
    finishReason: z.enum(["stop", "length", "content_filter", "stopped"]),
  }),
} as const;

/** A piece of a reply with its kind. */
export const chatEvent = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("delta"), ...chatPieces.delta.shape }),
  z.object({ kind: z.literal("result"), ...chatPieces.result.shape }),
  z.object({ kind: z.literal("toolRequest"), ...chatPieces.toolRequest.shape }),
  z.object({ kind: z.literal("tool"), ...chatPieces.tool.shape }),
]);

/** A piece of a reply. */
export type ChatEvent = z.output<typeof chatEvent>;

const completionEvent = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("answering"), model: z.string() }),
  chatEvent.options[0].omit({ conversationId: true }),
  z.object({
    kind: z.literal("tool_call"),
    index: z.int().min(0),
    id: z.string().optional(),
    name: z.string().optional(),
    arguments: z.string(),
  }),
  chatEvent.options[1].omit({ conversationId: true }).extend({
    toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })),
    finishReason: z.enum(["stop", "length", "content_filter", "stopped", "tool_calls"]),
  }),
]);

/** A piece of a reply that belongs to no conversation. */
export type CompletionEvent = z.output<typeof completionEvent>;

const isStream = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

/** A reply, piece by piece. Ending the iteration early stops the model; the use until then counts. */
const chatStream = z.custom<AsyncIterable<ChatEvent>>(isStream).meta({ type: "array" });

/** A reply without a conversation, piece by piece. */
const completionStream = z.custom<AsyncIterable<CompletionEvent>>(isStream).meta({ type: "array" });

/** Settings for the replies of a connection (interface 2.5: never kept). */
const chatSetting = z.object({
  systemPrompt: text(1, 20_000).nullable().optional(),
  maxOutputTokens: z.int().min(1).max(1_000_000).nullable().optional(),
  model: text(1, 128).nullable().optional(),
});

/** Commands that only a connection can send. */
export const chatCommands = {
  stop: {
    summary: "Stops the replies of one conversation, or all replies of the connection.",
    input: z.object({ conversationId: id.nullable().optional() }),
    output: z.object({ stopped: z.int().min(0).meta({ description: "How many replies were stopped." }) }),
  },
} as const;

/** A text that becomes a vector, or the numbers of its tokens. */
const embeddingInput = z.union([text(1, 1_000_000), tokenNumbers]);

const isVectors = (value: unknown): boolean =>
  Array.isArray(value) && value.every((vector) => vector instanceof Float32Array);

const conversationKey = z.object({ conversationId: id });

/** AI conversation data (interface 4.2), and the conversations themselves. */
export const aiContract = defineContract({
  chat: {
    summary: "Asks a model. The reply arrives piece by piece, and counts when it is complete.",
    access: "chat",
    input: chatSetting.extend({
      conversationId: id.nullable().optional(),
      content: text(1, 100_000),
      files: list(z.object({ file_id: fileId, name: text(1, 255) }), 8)
        .optional()
        .meta({
          description:
            "Uploads of the caller: pictures, for a model that takes them, and texts in UTF-8 of at most 256 KiB.",
        }),
      replaces: z.object({ from: id, to: id }).optional().meta({
        description:
          "Edits the question `from` of the conversation: the reply removes the messages from it to the message `to`. Later ones stay.",
      }),
      tools: z.boolean().default(false).meta({ description: "`true`: the caller can be asked about calls of tools." }),
    }),
    output: chatStream,
    pieces: chatPieces,
    errors: ["not_found", "quota_exceeded", "ai_unavailable", "file_not_found", "unreadable_image", "busy"],
  },
  complete: {
    summary: "Asks a model about these messages only. Nothing is stored; the call counts like a chat.",
    access: "chat",
    input: replyOptions.extend({
      model: text(1, 128).optional(),
      messages: list(promptMessage, 2000, 1),
      maxOutputTokens: z.int().min(1).max(1_000_000).optional(),
    }),
    output: completionStream,
    errors: ["not_found", "quota_exceeded", "ai_unavailable"],
  },
  tool: {
    summary: "Allows or refuses the call of a tool about which the caller was asked, within 60 s.",
    access: "chat",
    input: z.object({ callId: text(1, 128), allow: z.boolean() }),
    output: z.null(),
    errors: ["not_found"],
  },
  setting: {
    summary: "Checks the settings for the replies of a connection. Nothing is stored.",
    access: "chat",
    input: chatSetting,
    output: chatSetting,
    errors: ["not_found"],
  },
  models: {
    summary: "The models that can be asked; the first one is the default.",
    access: "chat",
    input: z.object({}),
    output: z.array(
      z.object({
        model: z.string(),
        contextTokens: z.int(),
        maxOutputTokens: z.int(),
        images: z.boolean().meta({ description: "True if messages may contain pictures." }),
        tools: z.boolean().meta({ description: "True if replies may call tools." }),
        settings: z.array(z.string()).meta({ description: "The settings of a reply that reach the model." }),
      }),
    ),
    errors: [],
  },
  embed: {
    summary: "Turns texts into vectors. A call counts like a reply, and its tokens count.",
    access: "chat",
    input: z.object({
      model: text(1, 128),
      input: list(embeddingInput, 2048, 1),
      dimensions: z.int().min(1).max(16_384).optional(),
    }),
    output: z.object({
      model: z.string(),
      vectors: z
        .custom<Float32Array[]>(isVectors)
        .meta({ type: "array", description: "One for each input, in the same order." }),
      usage: z.object({ promptTokens: z.int(), estimated: z.boolean() }),
    }),
    errors: ["not_found", "quota_exceeded", "ai_unavailable"],
  },
  embeddingModels: {
    summary: "The models that turn texts into vectors.",
    access: "chat",
    input: z.object({}),
    output: z.array(
      z.object({ model: z.string(), inputTokens: z.int().meta({ description: "Tokens that one text may have." }) }),
    ),
    errors: [],
  },
  conversationMessages: {
    summary: "Pages through the messages of a conversation, newest first.",
    access: "chat",
    input: conversationKey.extend({ cursor: id.optional(), pageSize: z.int().min(1).max(100).default(20) }),
    output: z.object({ nextPageCursor: z.string().nullable(), messages: z.array(conversationMessage) }),
    errors: ["not_found"],
  },
  amendConversation: {
    summary: "Renames a conversation, archives it (status 1), or makes it active again (status 0).",
    access: "chat",
    input: conversationKey.extend({
      title: text(1, 200).optional(),
      status: z.union([z.literal(0), z.literal(1)]).optional(),
    }),
    output: conversation,
    errors: ["not_found"],
  },
  deleteConversation: {
    summary: "Deletes a conversation with its messages.",
    access: "chat",
    input: conversationKey,
    output: z.null(),
    errors: ["not_found"],
  },
  searchConversations: {
    summary:
      "Finds questions and replies of the caller by their words: of the newest conversation first, newest first.",
    access: "chat",
    input: z.object({
      q: text(1, interfaceLimits.query)
        .refine((value) => value === "" || value.trim() !== "", { error: "text_empty" })
        .meta({ description: "Words, separated by spaces. All of them must match; Chinese also by its pinyin." }),
      pageSize: z.int().min(1).max(50).default(20),
      cursor: word(/^\d{1,16}\.\d{1,16}$/, 33, "invalid").optional(),
    }),
    output: z.object({
      list: z.array(foundMessage).meta({ description: "A page may be short, or empty." }),
      nextCursor: z.string().nullable().meta({ description: "Null if nothing is left." }),
    }),
    errors: ["rate_limited"],
  },
  quota: {
    summary: "The caller's quota in the current period.",
    access: "chat",
    input: z.object({}),
    output: quota,
    errors: [],
  },
  conversations: {
    summary: "Lists the caller's conversations, the last used first.",
    access: "chat",
    input: z.object({
      page: z.int().min(1).max(1_000_000_000).default(1),
      pageSize: z.int().min(1).max(100).default(20),
    }),
    output: z.object({
      page: z.int(),
      pageSize: z.int(),
      total: z.int().min(0),
      list: z.array(conversation),
    }),
    errors: [],
  },
});

export interface AiContract extends Readonly<typeof aiContract> {}
/** A quota, as clients see it. */
export type QuotaView = z.output<typeof quota>;
/** A conversation, as clients see it. */
export type ConversationView = z.output<typeof conversation>;
