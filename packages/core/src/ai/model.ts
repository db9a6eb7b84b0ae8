/** One message of a conversation, as a model takes it. */
export interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** What a reply used. */
export interface ChatUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** True where the model's provider reported nothing and the tokens were counted here. */
  readonly estimated: boolean;
}

/** Why a reply ended: by itself, at its maximum length, or because the provider held something back. */
export type ModelFinish = "stop" | "length" | "content_filter";

/** A piece of a reply; the last one is `end`. */
export type ChatPart =
  | { readonly kind: "delta"; readonly delta: string }
  | { readonly kind: "end"; readonly usage: ChatUsage; readonly finishReason: ModelFinish };

/** What a model is asked. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  /** Tokens that the reply may have at most; 1 and above. */
  readonly maxOutputTokens: number;
  /** Aborted when nobody wants the reply any more: the model stops, and its iteration throws or ends. */
  readonly signal: AbortSignal;
}

/** A language model. */
export interface ChatModel {
  /** Tokens that prompt and reply may have together. */
  readonly contextTokens: number;
  /** Tokens of a reply where the caller names no other number, and at most. */
  readonly maxOutputTokens: number;
  /** Tokens of a text, counted or estimated, never less than 0. */
  countTokens(text: string): number;
  /**
   * The reply, piece by piece, as fast as it is read; nothing runs ahead of the reader by more than a buffer.
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
      // Gives way after each token, as a real model does.
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      yield { kind: "delta", delta };
    }
    yield {
      kind: "end",
      finishReason: answer.length < tokens.length ? "length" : "stop",
      usage: {
        promptTokens: messages.reduce((sum, { content }) => sum + tokensOf(content).length, 0),
        completionTokens: answer.length,
        estimated: false,
      },
    };
  },
};
