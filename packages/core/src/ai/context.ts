import type { ChatMessage, ChatModel } from "./model.ts";

interface Prompt {
  readonly systemPrompt: string | null;
  /** Whole turns, oldest first: a user's message and its reply. */
  readonly turns: readonly (readonly ChatMessage[])[];
  readonly asked: Pick<ChatMessage, "content" | "parts">;
}

/** Tokens that a picture counts as. Services count differently; this is the order of magnitude. */
const imageTokens = 1000;

/** The tokens of the text and the pictures of a message. */
export const countMessage = (model: ChatModel, { content, parts = [] }: ChatMessage): number =>
  model.countTokens(content) + parts.filter(({ image }) => image !== undefined).length * imageTokens;

/** Groups messages into turns, oldest first: a question with its answer. Messages before the first question are left out. */
export function turnsOf(messages: readonly ChatMessage[]): ChatMessage[][] {
  const turns: ChatMessage[][] = [];
  for (const message of messages) {
    if (message.role === "user") turns.push([message]);
    else turns.at(-1)?.push(message);
  }
  return turns;
}

/**
 * The messages that fit a model together with a reply of `maxOutputTokens`: always the system prompt and the new message, and as many
 * of the latest whole turns as fit.
 */
export function fitPrompt(prompt: Prompt, model: ChatModel, maxOutputTokens: number): ChatMessage[] {
  const system: ChatMessage[] = prompt.systemPrompt === null ? [] : [{ role: "system", content: prompt.systemPrompt }];
  const question: ChatMessage = { role: "user", ...prompt.asked };
  const cost = (messages: readonly ChatMessage[]): number =>
    messages.reduce((sum, message) => sum + countMessage(model, message), 0);
  let room = model.contextTokens - maxOutputTokens - cost([...system, question]);
  const turns: (readonly ChatMessage[])[] = [];
  for (const turn of prompt.turns.toReversed()) {
    room -= cost(turn);
    if (room < 0) break;
    turns.unshift(turn);
  }
  return [...system, ...turns.flat(), question];
}
