/**
 * Sockets without the channels of Telex, for a plug-in with a protocol of its own: the plug-in accepts upgrades and interprets
 * frames itself. This module does not check tokens, rates or limits of a caller.
 */
export { createAcceptor } from "./connection/adapter.ts";
export type { Acceptance, Acceptor, AcceptorOptions, ConnectionHooks } from "./connection/adapter.ts";
export { createPlaces } from "./connection/places.ts";
export type { Socket } from "./connection/socket.ts";
export { checkHandshake, offeredProtocols } from "./connection/upgrade.ts";
export { encodePing, encodePong, encodeText } from "./connection/wire.ts";
