import { nextTick } from "@telex/ground/concurrency";
import type { z } from "zod";
import type { ToolServerState, ToolUse } from "../records/tool-use.ts";
import type { replyOptions, replySettings } from "./prompt.ts";

/** A part of a message: either text or a picture. */
export interface ContentPart {
  readonly text?: string | undefined;
  /** A `data:` URL of a PNG, JPEG, WebP or GIF. */
  readonly image?: string | undefined;
  /** The detail in which the model sees the picture. */
  readonly detail?: "auto" | "low" | "high" | undefined;
}

/** A call of a tool that a model asked for. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON as the model wrote it: it may be malformed. */
  readonly arguments: string;
}

/** One message of a conversation, as a model takes it. */
export interface ChatMessage {
  /** `tool` only for a model that takes tools. */
  readonly role: "system" | "user" | "assistant" | "tool";
  /** All its text. */
  readonly content: string;
  /** Text and pictures in their order, if there are pictures: only for a model that takes images. */
  readonly parts?: readonly ContentPart[] | undefined;
  /** Of the role `assistant`: the calls that it asked for. */
  readonly toolCalls?: readonly ToolCall[] | undefined;
  /** Of the role `tool`: the call whose result this is. */
  readonly toolCallId?: string | undefined;
}

/** The tokens of a reply. */
export interface ChatUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** The part of `promptTokens` that the provider had read before, if it reports that. */
  readonly cachedTokens?: number | undefined;
  /** The part of `completionTokens` in which the model reasoned, if the provider reports that. */
  readonly reasoningTokens?: number | undefined;
  /** True if the model's provider reported nothing and the tokens were counted here. */
  readonly estimated: boolean;
}

/** The reason why a reply ended: the model finished it, it reached its maximum length, the provider withheld a part, or it waits for tools. */
export type ModelFinish = "stop" | "length" | "content_filter" | "tool_calls";

/** A piece of a call of a tool. `id` and `name` come with its first piece; `arguments` are appended. */
export interface ToolCallPart {
  readonly kind: "tool_call";
  /** The index among the calls of the reply, from 0. */
  readonly index: number;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly arguments: string;
}

/** Names the model that replies, before the first piece of its reply. Only for a model that asks several others. */
interface AnsweringPart {
  readonly kind: "answering";
  readonly model: string;
}

/** A piece of a reply; the last one is `end`. */
export type ChatPart =
  | AnsweringPart
  | { readonly kind: "delta"; readonly delta: string }
  | ToolCallPart
  | { readonly kind: "tool_use"; readonly use: ToolUse }
  | { readonly kind: "end"; readonly usage: ChatUsage; readonly finishReason: ModelFinish };

/** A setting of a reply, such as its temperature. */
export type ReplySetting = keyof z.output<typeof replySettings>;

/** Settings of a reply, tools, and the texts at which it stops. A model may ignore `stop`, because Telex looks for these texts, too. */
export interface ReplyOptions extends Readonly<z.output<typeof replyOptions>> {}

/** A tool that a model may ask for. */
export type ToolDefinition = NonNullable<ReplyOptions["tools"]>[number];

/** One of several steps of a reply: its request, and the usage of the steps before. */
export interface ReplyStep extends Pick<ChatRequest, "messages" | "tools"> {
  readonly used: ChatUsage;
}

/** The person who gets a reply, for a model that calls tools of the operator. */
export interface ReplyPerson {
  readonly userId: number;
  readonly place: "chat" | "room" | "device";
  /**
   * Asks for permission of a call; in a chat, the part of the reply does. Left out if the person cannot be asked. Outside of chats, the
   * arguments have at most 1,500 characters.
   */
  readonly ask?: (use: ToolUse) => Promise<unknown>;
  /** The `callId` of every answer. Default: that of the call. */
  readonly answersTo?: string;
  /** Sets the tokens of a step aside. @throws TelexError `quota_exceeded` */
  readonly step: (step: ReplyStep) => Promise<void>;
}

/** Takes the answers of people whether a tool may be called. */
export interface ToolAnswers {
  /** False if this person was not asked about this call, or not in time. With `here`, other servers are not asked who waits for it. */
  answer(answer: {
    readonly userId: number;
    readonly callId: string;
    readonly allow: boolean;
    readonly here?: boolean;
  }): Promise<boolean>;
  /** The servers of the tools now, for the operator. Default: none. */
  readonly servers?: () => readonly ToolServerState[];
}

/** A request to a model. */
export interface ChatRequest extends ReplyOptions {
  readonly messages: readonly ChatMessage[];
  /** Maximum tokens of the reply; 1 and above. */
  readonly maxOutputTokens: number;
  /** False if another model is asked after a failure: the model does not repeat its request. Default true. */
  readonly canRepeat?: boolean | undefined;
  /** Left out for `/v1`, whose callers have tools of their own. */
  readonly person?: ReplyPerson | undefined;
  /** Aborted when the caller has left: the model stops, and its iteration throws or ends. */
  readonly signal: AbortSignal;
}

/** A language model. */
export interface ChatModel {
  /** Maximum tokens of prompt and reply together. */
  readonly contextTokens: number;
  /** The maximum tokens of a reply, and the default. */
  readonly maxOutputTokens: number;
  /** True if messages may contain pictures. Default false. */
  readonly takesImages?: boolean | undefined;
  /** True if a reply may call tools. Default false. */
  readonly takesTools?: boolean | undefined;
  /** The settings that reach the model. Others are removed. Default none. */
  readonly takesSettings?: readonly ReplySetting[] | undefined;
  /** Tokens of a text, counted or estimated, never less than 0. */
  countTokens(text: string): number;
  /**
   * The reply, piece by piece, as fast as it is read. The model runs ahead of the reader by one buffer at most.
   * @throws TelexError `ai_unavailable` for whatever the provider does, with the cause for the log only
   */
  reply(request: ChatRequest): AsyncIterable<ChatPart>;
}

const words = /\s*\S+|\s+$/gu;
const tokensOf = (text: string): readonly string[] => text.match(words) ?? [];

/**
 * The built-in model: answers with the words of the last message. A word with the space before it is a token, so that
 * everything can be counted by hand.
 */
export const echoModel: ChatModel = {
  contextTokens: 8192,
  maxOutputTokens: 1024,
  countTokens: (text) => tokensOf(text).length,
  async *reply({ messages, maxOutputTokens, signal }) {
    const tokens = tokensOf(messages.at(-1)?.content ?? "");
    const answer = tokens.slice(0, maxOutputTokens);
    for (const delta of answer) {
      // Lets other code run after each token, as a real model does.
      await nextTick();
      signal.throwIfAborted();
      yield { kind: "delta", delta };
    }
    const promptTokens = messages.reduce((sum, { content }) => sum + tokensOf(content).length, 0);
    const usage = { promptTokens, completionTokens: answer.length, estimated: false };
    yield { kind: "end", finishReason: answer.length < tokens.length ? "length" : "stop", usage };
  },
};
