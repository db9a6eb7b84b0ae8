export { createRecent } from "./recent.ts";
export type { Recent } from "./recent.ts";
export type { AuditFiles } from "./audit.ts";
