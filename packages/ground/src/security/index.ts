export { createAttempts } from "./attempts.ts";
export { digestOf } from "./secrets.ts";
