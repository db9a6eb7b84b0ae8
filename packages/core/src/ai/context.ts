import type { ChatMessage, ChatModel } from "./model.ts";

interface Prompt {
  readonly systemPrompt: string | null;
  /** Whole turns, oldest first: a user's message and its reply. */
  readonly turns: readonly (readonly ChatMessage[])[];
  readonly content: string;
}

/** Messages in turns, oldest first: a question with its answer. Messages before the first question are left out. */
export function turnsOf(messages: readonly ChatMessage[]): ChatMessage[][] {
  const turns: ChatMessage[][] = [];
  for (const { role, content } of messages) {
    if (role === "user") turns.push([{ role, content }]);
    else turns.at(-1)?.push({ role, content });
  }
  return turns;
}

/**
 * The messages that fit a model together with a reply of `maxOutputTokens`: the system prompt and the new message always, of the
 * turns before as many whole ones as fit, the latest first.
 */
export function fitPrompt(prompt: Prompt, model: ChatModel, maxOutputTokens: number): ChatMessage[] {
  const system: ChatMessage[] = prompt.systemPrompt === null ? [] : [{ role: "system", content: prompt.systemPrompt }];
  const asked: ChatMessage = { role: "user", content: prompt.content };
  const cost = (messages: readonly ChatMessage[]): number =>
    messages.reduce((sum, { content }) => sum + model.countTokens(content), 0);
  let room = model.contextTokens - maxOutputTokens - cost([...system, asked]);
  const kept: (readonly ChatMessage[])[] = [];
  for (const turn of prompt.turns.toReversed()) {
    room -= cost(turn);
    if (room < 0) break;
    kept.unshift(turn);
  }
  return [...system, ...kept.flat(), asked];
}
