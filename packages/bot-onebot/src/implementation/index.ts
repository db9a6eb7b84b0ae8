export { createOneBotImplementation } from "./implementation.ts";
export type { OneBotImplementation, OneBotImplementationOptions } from "./options.ts";
