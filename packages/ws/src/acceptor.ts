/**
 * Sockets without the channels of Telex, for a plug-in with a protocol of its own: the plug-in accepts upgrades and interprets
 * frames itself. This module does not check tokens, rates or limits of a caller.
 */
export { createAcceptor } from "./connection/adapter.ts";
export { createTurns, stoppedByTwo } from "./connection/turns.ts";
export type { Turn } from "./connection/turns.ts";
export type { Acceptance, Acceptor, AcceptorOptions, ConnectionHooks } from "./connection/adapter.ts";
export { createPipeline } from "./connection/pipeline.ts";
export type { Ready } from "./connection/pipeline.ts";
export { createSlots } from "@telex/core/transport";
export { createSendQueues } from "./connection/send-queue.ts";
export type { SendQueue, SendQueues } from "./connection/send-queue.ts";
export { createCallers } from "./connection/callers.ts";
export type { Callers } from "./connection/callers.ts";
export { refuseUpgrade } from "./connection/refusal.ts";
export type { Socket } from "./connection/socket.ts";
export { checkHandshake, offeredProtocols } from "./connection/upgrade.ts";
export { encodeBinary, encodePing, encodePong, encodeText } from "./connection/wire.ts";
