import type { LanguageModelV4FilePart, LanguageModelV4Message, LanguageModelV4TextPart } from "@ai-sdk/provider";
import type { ChatMessage, ContentPart, ToolCall } from "@telex/core";

/** A `data:` URL, which core has checked. */
const dataUrl = /^data:(image\/\w+);base64,/;

function partOf({ image, text = "" }: ContentPart): LanguageModelV4TextPart | LanguageModelV4FilePart {
  const [head = "", mediaType = ""] = dataUrl.exec(image ?? "") ?? [];
  if (image === undefined) return { type: "text", text };
  return { type: "file", mediaType, data: { type: "data", data: image.slice(head.length) } };
}

const contentOf = ({ content, parts }: ChatMessage) => parts?.map(partOf) ?? [{ type: "text" as const, text: content }];

/** The arguments of a call. Malformed JSON stays a text. */
function inputOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const callOf = ({ id, name, arguments: text }: ToolCall) => ({
  type: "tool-call" as const,
  toolCallId: id,
  toolName: name,
  input: inputOf(text),
});

function assistantOf({ content, toolCalls = [] }: ChatMessage): LanguageModelV4Message {
  const texts = content === "" && toolCalls.length > 0 ? [] : [{ type: "text" as const, text: content }];
  return { role: "assistant", content: [...texts, ...toolCalls.map(callOf)] };
}

/** A result. The SDK wants the name of the tool, which Telex has only in the call. */
function resultOf(
  { toolCallId = "", content }: ChatMessage,
  names: ReadonlyMap<string, string>,
): LanguageModelV4Message {
  const output = { type: "text" as const, value: content };
  const toolName = names.get(toolCallId) ?? "unknown";
  return { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] };
}

function messageOf(message: ChatMessage, names: ReadonlyMap<string, string>): LanguageModelV4Message {
  const { role, content } = message;
  if (role === "system") return { role, content };
  if (role === "assistant") return assistantOf(message);
  return role === "tool" ? resultOf(message, names) : { role, content: contentOf(message) };
}

/** The messages as the SDK expects them. */
export function promptOf(messages: readonly ChatMessage[]): LanguageModelV4Message[] {
  const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls);
  const names = new Map(calls.map(({ id, name }) => [id, name]));
  return messages.map((message) => messageOf(message, names));
}
