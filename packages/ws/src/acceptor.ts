/**
 * Sockets below the channels of Telex, for a plug-in that speaks somebody else's protocol: it takes upgrades by itself and decides
 * what a frame means. Nothing here knows tokens, rates or limits of a caller.
 */
export { createAcceptor } from "./connection/adapter.ts";
export type { Acceptance, Acceptor, AcceptorOptions, ConnectionHooks } from "./connection/adapter.ts";
export { createPlaces } from "./connection/places.ts";
export type { Socket } from "./connection/socket.ts";
export { checkHandshake, offeredProtocols } from "./connection/upgrade.ts";
export { encodePing, encodePong, encodeText } from "./connection/wire.ts";
