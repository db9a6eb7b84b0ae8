import { type ChatModel, definePlugin, type Plugin } from "@telex/core";
import { Agent } from "undici";
import { createModel } from "./model.ts";
import { complete, type OpenAiOptions } from "./options.ts";
import { createTokenCounter } from "./tokens.ts";

function create(options: OpenAiOptions) {
  const { models, timeouts, ...service } = complete(options);
  // Silence is watched over by the models, who know what a reader's slowness is and what the service's.
  const silence = { headersTimeout: 0, bodyTimeout: 0 };
  const dispatcher = new Agent({ connect: { timeout: timeouts.connect }, ...silence, allowH2: false });
  const counter = createTokenCounter();
  const named = models.map(
    (model) => [model.name, createModel({ ...service, timeouts, dispatcher }, model, counter)] as const,
  );
  return { models: new Map<string, ChatModel>(named), close: () => dispatcher.destroy() };
}

/**
 * The models of an OpenAI-compatible service by their names in Telex, for `createTelex({models})`.
 * @throws TypeError for an address or a model that cannot be meant
 */
export const createOpenAiModels = (options: OpenAiOptions): ReadonlyMap<string, ChatModel> => create(options).models;

/**
 * The same as a plug-in, which also closes its connections when Telex closes.
 * @throws TypeError for an address or a model that cannot be meant
 */
export function openAiModels(options: OpenAiOptions): Plugin {
  const { models, close } = create(options);
  return definePlugin({ name: "ai-openai", models, start: () => Promise.resolve(close) });
}
