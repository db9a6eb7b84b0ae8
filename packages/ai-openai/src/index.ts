export { createOpenAiEmbeddingModels, createOpenAiModels, openAiModels } from "./models.ts";
export { keyFromFile } from "./options.ts";
export type { OpenAiEmbeddingModelOptions, OpenAiModelOptions, OpenAiOptions, OpenAiTimeouts } from "./options.ts";
