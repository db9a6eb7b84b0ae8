import type { ChatMessage, ChatRequest, ContentPart, ToolCall, ToolDefinition } from "@telex/core";
import type { OpenAiModelOptions } from "./options.ts";

const partOf = (part: ContentPart): object =>
  part.image === undefined
    ? { type: "text", text: part.text ?? "" }
    : { type: "image_url", image_url: { url: part.image, detail: part.detail } };

const callOf = ({ id, name, arguments: text }: ToolCall): object => ({
  id,
  type: "function",
  function: { name, arguments: text },
});

const toolOf = ({ parameters, ...tool }: ToolDefinition): object => ({
  type: "function",
  function: { ...tool, parameters: parameters === undefined ? undefined : (JSON.parse(parameters) as unknown) },
});

const messageOf = ({ role, content, parts, toolCalls, toolCallId }: ChatMessage): object => ({
  role,
  // Some services reject an empty text together with calls.
  content: content === "" && toolCalls !== undefined ? null : (parts?.map(partOf) ?? content),
  tool_calls: toolCalls?.map(callOf),
  tool_call_id: toolCallId,
});

function choiceOf(choice: ChatRequest["toolChoice"]): unknown {
  return typeof choice === "object" ? { type: "function", function: choice } : choice;
}

/** The JSON of a request, without the fields that are undefined. */
export const bodyOf = ({ model, limitField }: Required<OpenAiModelOptions>, asked: ChatRequest): string =>
  JSON.stringify({
    model,
    messages: asked.messages.map(messageOf),
    [limitField]: asked.maxOutputTokens,
    stop: asked.stop,
    tools: asked.tools?.map(toolOf),
    tool_choice: choiceOf(asked.toolChoice),
    parallel_tool_calls: asked.parallelToolCalls,
    stream: true,
    stream_options: { include_usage: true },
  });
