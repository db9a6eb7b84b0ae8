import { type ChatModel, definePlugin, type Plugin, type ReplySetting } from "@telex/core";
import { type AiSdkModelOptions, type AiSdkOptions, assertModel, complete, type Complete } from "./options.ts";
import { replyOf } from "./reply.ts";
import { countTokens } from "./tokens.ts";

const usualSettings: readonly ReplySetting[] = ["temperature", "topP", "reasoningEffort", "responseFormat"];

const modelOf = (options: AiSdkModelOptions, service: Complete): ChatModel => ({
  contextTokens: options.contextTokens,
  maxOutputTokens: options.maxOutputTokens,
  takesImages: options.images ?? false,
  takesTools: options.tools ?? false,
  takesSettings: options.settings ?? usualSettings,
  countTokens,
  reply: (request) => replyOf(options, service, request),
});

/**
 * A model of the AI SDK as a model of Telex, for `createTelex({models})`.
 * @throws TypeError for limits that contradict each other
 */
export function createAiSdkModel(model: AiSdkModelOptions, options: AiSdkOptions = {}): ChatModel {
  assertModel("of the AI SDK", model);
  return modelOf(model, complete(options));
}

/**
 * Models of the AI SDK by their names in Telex, as a plug-in. The first one becomes the default model.
 * @throws TypeError for a model without a name, or limits that contradict each other
 */
export function aiSdkModels(models: Readonly<Record<string, AiSdkModelOptions>>, options: AiSdkOptions = {}): Plugin {
  const service = complete(options);
  const entries = Object.entries(models).map(([name, model]) => {
    assertModel(name, model);
    return [name, modelOf(model, service)] as const;
  });
  return definePlugin({ name: "ai-sdk", models: new Map(entries) });
}
