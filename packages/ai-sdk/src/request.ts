import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { ChatRequest, ToolDefinition } from "@telex/core";
import type { AiSdkModelOptions } from "./options.ts";
import { promptOf } from "./prompt.ts";

type Schema = LanguageModelV4FunctionTool["inputSchema"];

const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;

/** A JSON schema. Core has checked that it is an object. */
function schemaOf(text: string | undefined): Schema | undefined {
  const value: unknown = text === undefined ? undefined : JSON.parse(text);
  return isSchema(value) ? value : undefined;
}

function toolOf({ name, description, parameters, strict }: ToolDefinition): LanguageModelV4FunctionTool {
  const inputSchema = schemaOf(parameters) ?? { type: "object", properties: {} };
  const described = description === undefined ? {} : { description };
  return { type: "function", name, inputSchema, ...described, ...(typeof strict === "boolean" && { strict }) };
}

function choiceOf(choice: ChatRequest["toolChoice"]): LanguageModelV4CallOptions["toolChoice"] {
  if (choice === undefined) return undefined;
  return typeof choice === "string" ? { type: choice } : { type: "tool", toolName: choice.name };
}

function formatOf(format: ChatRequest["responseFormat"]): LanguageModelV4CallOptions["responseFormat"] {
  if (format === undefined) return undefined;
  const { name, description } = format;
  const schema = schemaOf(format.schema);
  return {
    type: "json",
    ...(schema !== undefined && { schema }),
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
  };
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

const isSet = (entry: [string, unknown]): boolean => entry[1] !== undefined;

/** Without the fields that are undefined, which the SDK distinguishes from missing ones. */
function defined<T extends object>(fields: T): Defined<T> {
  const set: Defined<T> = {};
  return Object.assign(set, Object.fromEntries(Object.entries(fields).filter(isSet)));
}

/** A request as the SDK expects it. */
export const callOptionsOf = (
  { providerOptions }: AiSdkModelOptions,
  asked: ChatRequest,
  abortSignal: AbortSignal,
): LanguageModelV4CallOptions => ({
  prompt: promptOf(asked.messages),
  maxOutputTokens: asked.maxOutputTokens,
  abortSignal,
  ...defined({
    temperature: asked.temperature,
    topP: asked.topP,
    presencePenalty: asked.presencePenalty,
    frequencyPenalty: asked.frequencyPenalty,
    seed: asked.seed,
    reasoning: asked.reasoningEffort,
    responseFormat: formatOf(asked.responseFormat),
    stopSequences: asked.stop,
    tools: asked.tools?.map(toolOf),
    toolChoice: choiceOf(asked.toolChoice),
    providerOptions,
  }),
});
