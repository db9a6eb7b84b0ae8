export { createOpenAiModels, openAiModels } from "./models.ts";
export { keyFromFile } from "./options.ts";
export type { OpenAiModelOptions, OpenAiOptions, OpenAiTimeouts } from "./options.ts";
