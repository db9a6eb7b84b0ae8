export type { LiveEventsOf } from "./events.ts";
export { createLiveConnections } from "./live.ts";
export type { CloseReason, LiveConnection, LiveConnections } from "./live.ts";
