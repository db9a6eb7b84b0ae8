export { createWs } from "./ws.ts";
export type { Ws, WsOptions } from "./ws.ts";
