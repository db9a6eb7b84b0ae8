export { aiSdkModels, createAiSdkModel } from "./models.ts";
export type { AiSdkModelOptions, AiSdkOptions, AiSdkTimeouts } from "./options.ts";
