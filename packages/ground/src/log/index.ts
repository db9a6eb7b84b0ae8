export { redact, silentLogger } from "./log.ts";
export type { LogFields, Logger } from "./log.ts";
export { createOnce } from "./once.ts";
export { callerFields, createSecurityLog, idsOf } from "./security.ts";
export type { SecurityLog } from "./security.ts";
