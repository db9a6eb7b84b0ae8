import type { Rename } from "./call.ts";
import { notKept } from "./fates.ts";
import { assertKnown, type Fields, isFields, mapList, notSupported } from "./fields.ts";

/** Maximum items in the input, and parts in the content of one. */
const maxItems = 2000;
const mostParts = 1000;

/** A message in our words, not checked yet, and the caller's names of its fields. */
interface Message {
  readonly fields: Fields;
  readonly path: string;
  /** The path of its text. */
  readonly content: string;
  /** For an assistant: its calls, with the path of each. */
  readonly calls: { readonly fields: Fields; readonly path: string }[];
}

function readPart(part: unknown, path: string): unknown {
  if (!isFields(part)) throw notSupported(path);
  const { type, text, refusal, image_url: image, detail } = part;
  if (type === "input_text" || type === "output_text" || type === "text") return { text };
  if (type === "refusal") return { text: refusal };
  if (type !== "input_image" || typeof image !== "string") throw notSupported(path);
  return { image, detail: detail ?? undefined };
}

const readContent = (content: unknown, path: string): Fields =>
  Array.isArray(content)
    ? { parts: mapList(content, mostParts, (part, index) => readPart(part, `${path}.${index}`)) }
    : { content: content ?? undefined };

const messageFields: ReadonlySet<string> = new Set(["type", "role", "content", "id", "status", "phase"]);
const callFields: ReadonlySet<string> = new Set(["type", "id", "call_id", "name", "arguments", "status"]);
const outputFields: ReadonlySet<string> = new Set(["type", "id", "call_id", "output", "status"]);

function readMessage(item: Fields, path: string): Message {
  assertKnown(item, messageFields, `${path}.`);
  const role = item["role"] === "developer" ? "system" : item["role"];
  const content = `${path}.content`;
  return { fields: { role, ...readContent(item["content"], content) }, path, content, calls: [] };
}

function readOutput(item: Fields, path: string): Message {
  assertKnown(item, outputFields, `${path}.`);
  const content = `${path}.output`;
  const fields = { role: "tool", toolCallId: item["call_id"], ...readContent(item["output"], content) };
  return { fields, path, content, calls: [] };
}

/** Calls belong to the message of the assistant before them. */
function addCall(messages: Message[], item: Fields, path: string): void {
  assertKnown(item, callFields, `${path}.`);
  const { call_id: id, name, arguments: text } = item;
  let message = messages.at(-1);
  if (message?.fields["role"] !== "assistant") {
    message = { fields: { role: "assistant" }, path, content: path, calls: [] };
    messages.push(message);
  }
  message.calls.push({ fields: { id, name, arguments: text }, path });
}

function addItem(messages: Message[], item: unknown, path: string): void {
  if (!isFields(item)) throw notSupported(path);
  const { type = "message" } = item;
  if (type === "item_reference") throw notKept(path);
  if (type === "message") messages.push(readMessage(item, path));
  else if (type === "function_call") addCall(messages, item, path);
  else if (type === "function_call_output") messages.push(readOutput(item, path));
  else throw notSupported(path);
}

/** The names of our fields of a message in the interface of OpenAI. */
function nameIn({ path, content, calls }: Message, rest: string): string {
  const [, call, field = ""] = /^\.toolCalls\.(\d+)(.*)$/.exec(rest) ?? [];
  if (call !== undefined) return (calls[Number(call)]?.path ?? path) + field.replace(/^\.id$/, ".call_id");
  const inContent = /^\.(?:content|parts)(.*)$/.exec(rest)?.[1];
  if (inContent !== undefined) return content + inContent.replace(/\.image$/, ".image_url");
  return path + rest.replace(/^\.toolCallId$/, ".call_id").replace(/^\.toolCalls$/, "");
}

const renameIn =
  (messages: readonly Message[]): Rename =>
  (path) => {
    const [, index, rest = ""] = /^messages(?:\.(\d+)(.*))?$/.exec(path) ?? [];
    const message = index === undefined ? undefined : messages[Number(index)];
    return message === undefined ? "input" : nameIn(message, rest);
  };

/** The messages of a request, not checked yet. */
interface Prompt {
  readonly messages: unknown;
  /** The name of a field of `messages` for the caller. */
  readonly rename: Rename;
}

const withCalls = ({ fields, calls }: Message) =>
  calls.length === 0 ? fields : { ...fields, toolCalls: calls.map((call) => call.fields) };

/**
 * Reads `instructions` and `input` of a request.
 * @throws TelexError `invalid_request` for an item or field that is not supported
 */
export function readPrompt({ instructions, input }: Fields): Prompt {
  // The operation refuses these: it counts the elements before it looks at them.
  const isOutOfBounds = Array.isArray(input) && (input.length === 0 || input.length > maxItems);
  if (input === undefined || input === null || isOutOfBounds) return { messages: input, rename: () => "input" };
  const messages: Message[] = [];
  const addText = (role: string, content: unknown, path: string): void =>
    void messages.push({ fields: { role, content }, path, content: path, calls: [] });
  if (instructions !== undefined && instructions !== null) addText("system", instructions, "instructions");
  if (Array.isArray(input)) input.forEach((item: unknown, index) => addItem(messages, item, `input.${index}`));
  else addText("user", input, "input");
  return { messages: messages.map(withCalls), rename: renameIn(messages) };
}
