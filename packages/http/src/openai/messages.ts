import { assertKnown, type Fields, isFields, mapList, notSupported } from "./fields.ts";

/** Maximum parts in the content of one message. */
const maxParts = 1000;
/** Maximum tools that a model is offered, and calls in a message. */
const maxTools = 128;

function readPart(part: unknown, path: string): unknown {
  if (!isFields(part)) throw notSupported(path);
  const { type, text, refusal, image_url: image } = part;
  if (type === "text") return { text };
  if (type === "refusal") return { text: refusal };
  if (type !== "image_url" || !isFields(image)) throw notSupported(path);
  return { image: image["url"], detail: image["detail"] ?? undefined };
}

const readContent = (content: unknown, path: string): Fields =>
  Array.isArray(content)
    ? { parts: mapList(content, maxParts, (part, index) => readPart(part, `${path}.${index}`)) }
    : { content: content ?? undefined };

/** The function of a tool or of a call. */
function functionOf(tool: unknown, path: string): Fields {
  if (!isFields(tool) || tool["type"] !== "function" || !isFields(tool["function"])) throw notSupported(path);
  return tool["function"];
}

function readCalls(calls: unknown, path: string): unknown {
  return mapList(calls, maxTools, (call, index) => ({
    id: isFields(call) ? call["id"] : undefined,
    ...functionOf(call, `${path}.${index}`),
  }));
}

const knownFields: ReadonlySet<string> = new Set([
  "role",
  "content",
  "name",
  "refusal",
  "annotations",
  "audio",
  "function_call",
  "tool_calls",
  "tool_call_id",
]);

/**
 * Translates a message of the interface of OpenAI, without checking it.
 * @throws TelexError `invalid_request` for content that is not supported
 */
export function readMessage(message: unknown, index: number): unknown {
  if (!isFields(message)) return message;
  assertKnown(message, knownFields, `messages.${index}.`);
  const { role, content, tool_calls: calls, tool_call_id: toolCallId } = message;
  const other = ["audio", "function_call"].find((field) => (message[field] ?? null) !== null);
  if (other !== undefined) throw notSupported(`messages.${index}.${other}`);
  return {
    role: role === "developer" ? "system" : role,
    ...readContent(content, `messages.${index}.content`),
    toolCalls: readCalls(calls, `messages.${index}.tool_calls`),
    toolCallId: toolCallId ?? undefined,
  };
}

/**
 * The tools that a model is offered, in our words, not checked yet.
 * @throws TelexError `invalid_request` for a tool that is not a function
 */
export function readTools(tools: unknown): unknown {
  if (Array.isArray(tools) && tools.length === 0) return undefined;
  return mapList(tools, maxTools, (tool, index) => {
    const { parameters, ...definition } = functionOf(tool, `tools.${index}`);
    return { ...definition, parameters: parameters === undefined ? undefined : JSON.stringify(parameters) };
  });
}

/** The caller's choice of tools in the words of Telex, unchecked. */
export const readToolChoice = (choice: unknown): unknown =>
  isFields(choice) ? functionOf(choice, "tool_choice") : (choice ?? undefined);
