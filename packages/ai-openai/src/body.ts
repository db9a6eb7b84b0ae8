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

/** A format of JSON. Services call it differently with a schema and without. */
function formatOf(format: ChatRequest["responseFormat"]): object | undefined {
  if (format === undefined) return undefined;
  const { schema, ...described } = format;
  if (schema === undefined) return { type: "json_object" };
  const root: unknown = JSON.parse(schema);
  return { type: "json_schema", json_schema: { name: "reply", ...described, schema: root } };
}

const settingsOf = (request: ChatRequest): object => ({
  temperature: request.temperature,
  top_p: request.topP,
  presence_penalty: request.presencePenalty,
  frequency_penalty: request.frequencyPenalty,
  seed: request.seed,
  reasoning_effort: request.reasoningEffort,
  verbosity: request.verbosity,
  parallel_tool_calls: request.parallelToolCalls,
  response_format: formatOf(request.responseFormat),
});

/** The JSON of a request, without the fields that are undefined. */
export const bodyOf = ({ model, limitField }: Required<OpenAiModelOptions>, request: ChatRequest): string =>
  JSON.stringify({
    model,
    messages: request.messages.map(messageOf),
    [request.limitField ?? limitField]: request.maxOutputTokens,
    ...settingsOf(request),
    stop: request.stop,
    tools: request.tools?.map(toolOf),
    tool_choice: choiceOf(request.toolChoice),
    stream: true,
    stream_options: { include_usage: true },
  });
