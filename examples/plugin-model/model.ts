import { type ChatModel, definePlugin } from "@telex/core";

const wordsOf = (text: string): readonly string[] => text.match(/\S+\s*/g) ?? [];

/** A model that knows one trick: it says the words of a text in reverse order. */
const reverseModel: ChatModel = {
  contextTokens: 4096,
  maxOutputTokens: 512,
  countTokens: (text) => wordsOf(text).length,
  async *reply({ messages, maxOutputTokens, signal }) {
    const words = wordsOf(messages.at(-1)?.content ?? "").toReversed();
    const said = words.slice(0, maxOutputTokens);
    for (const word of said) {
      signal.throwIfAborted();
      yield { kind: "delta", delta: `${word.trim()} ` };
    }
    yield {
      kind: "end",
      finishReason: said.length < words.length ? "length" : "stop",
      usage: {
        promptTokens: messages.reduce((sum, { content }) => sum + wordsOf(content).length, 0),
        completionTokens: said.length,
        estimated: false,
      },
    };
  },
};

/** Adds the model `reverse`. */
export const reversePlugin = definePlugin({ name: "reverse", models: new Map([["reverse", reverseModel]]) });
