import { type ChatModel, definePlugin, type EmbeddingModel, type Plugin } from "@telex/core";
import { Agent } from "undici";
import { createEmbeddingModel } from "./embeddings.ts";
import { createModel } from "./model.ts";
import { complete, type OpenAiOptions } from "./options.ts";
import { createTokenCounter } from "./tokens.ts";

function create(options: OpenAiOptions) {
  const { models, embeddingModels, ...service } = complete(options);
  // The models watch for silence themselves, because only they know whether the reader or the service is slow.
  const silence = { headersTimeout: 0, bodyTimeout: 0 };
  const dispatcher = new Agent({ connect: { timeout: service.timeouts.connect }, ...silence, allowH2: false });
  const counter = createTokenCounter();
  const connected = { ...service, dispatcher };
  return {
    models: new Map<string, ChatModel>(models.map((model) => [model.name, createModel(connected, model, counter)])),
    embeddingModels: new Map<string, EmbeddingModel>(
      embeddingModels.map((model) => [model.name, createEmbeddingModel(connected, model, counter)]),
    ),
    close: () => dispatcher.destroy(),
  };
}

/**
 * The models of an OpenAI-compatible service by their names in Telex, for `createTelex({models})`.
 * @throws TypeError for an invalid address or model
 */
export const createOpenAiModels = (options: OpenAiOptions): ReadonlyMap<string, ChatModel> => create(options).models;

/**
 * The embedding models of an OpenAI-compatible service by their names in Telex, for `createTelex({embeddingModels})`.
 * @throws TypeError for an invalid address or model
 */
export const createOpenAiEmbeddingModels = (options: OpenAiOptions): ReadonlyMap<string, EmbeddingModel> =>
  create(options).embeddingModels;

/**
 * All models of a service as a plug-in, which also closes its connections when Telex closes.
 * @throws TypeError for an invalid address or model
 */
export function openAiModels(options: OpenAiOptions): Plugin {
  const { models, embeddingModels, close } = create(options);
  return definePlugin({ name: "ai-openai", models, embeddingModels, start: () => Promise.resolve(close) });
}
