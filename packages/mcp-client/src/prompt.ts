import type { ChatMessage, ChatModel, ToolDefinition } from "@telex/core";

/** The part of the context that the descriptions of tools may take. */
const shareOfTools = 1 / 3;

/** As many of the tools as leave room for the conversation. */
export function fitTools(model: ChatModel, definitions: readonly ToolDefinition[]): ToolDefinition[] {
  let room = model.contextTokens * shareOfTools;
  return definitions.filter((definition) => {
    const tokens = model.countTokens(JSON.stringify(definition));
    if (tokens > room) return false;
    room -= tokens;
    return true;
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function tokensOf(model: ChatModel, { content, toolCalls = [] }: ChatMessage): number {
  return sum(
    [content, ...toolCalls.flatMap((call) => [call.name, call.arguments])].map((text) => model.countTokens(text)),
  );
}

interface Conversation {
  /** The conversation up to the question, which comes last. */
  readonly before: readonly ChatMessage[];
  /** The calls and results since. */
  readonly since: readonly ChatMessage[];
  readonly tools: readonly ToolDefinition[];
}

/** Cuts the last results to the remaining context. */
function cutResults(model: ChatModel, messages: readonly ChatMessage[], excess: number): ChatMessage[] {
  let over = excess;
  return messages.map((message) => {
    const tokens = tokensOf(model, message);
    if (over <= 0 || message.role !== "tool" || tokens === 0) return message;
    const share = Math.max(0, 1 - over / tokens);
    over -= tokens;
    return {
      ...message,
      content: `${message.content.slice(0, Math.floor(message.content.length * share)).toWellFormed()}…`,
    };
  });
}

/** The messages that fit the model: the oldest turns go first, then the ends of results. */
export function fitMessages(model: ChatModel, most: number, { before, since, tools }: Conversation): ChatMessage[] {
  const system = before.filter(({ role }) => role === "system");
  const turns = before.filter(({ role }) => role !== "system");
  const fixed = sum([...system, ...since].map((message) => tokensOf(model, message)));
  const ofTools = tools.length === 0 ? 0 : model.countTokens(JSON.stringify({ tools }));
  let over = fixed + ofTools + sum(turns.map((turn) => tokensOf(model, turn))) - (model.contextTokens - most);
  while (turns.length > 1 && (over > 0 || turns[0]?.role === "assistant")) {
    const [first] = turns.splice(0, 1);
    over -= first === undefined ? 0 : tokensOf(model, first);
  }
  return [...system, ...turns, ...cutResults(model, since, over)];
}
