import type { Telex } from "@telex/core";

const second = 1000;
const kib = 1024;
const mib = 1024 * kib;

/** What one WebSocket may cost. `createWs(telex, { limits })` changes single ones. */
export interface WsLimits {
  /** Bytes of one message on a WebSocket, its fragments together. */
  readonly frameSize: number;
  /** Commands in progress or waiting on one connection, from which on its socket is not read. */
  readonly commandQueue: number;
  /** Bytes that may wait for one connection before it counts as too slow. */
  readonly outputWaiting: number;
  /** Bytes that may wait for all connections together before the fullest are closed. */
  readonly outputWaitingTotal: number;
  /** Milliseconds between two pings, and the time for answering one. */
  readonly pingInterval: number;
  /** Milliseconds after which a connection without a valid token is closed. */
  readonly anonymousLife: number;
  /** Milliseconds that the other side has for its part in closing a connection. */
  readonly closeTime: number;
}

/** The limits of {@link WsLimits} where no other is given. */
export const defaultWsLimits: WsLimits = {
  frameSize: 256 * kib,
  commandQueue: 64,
  outputWaiting: 4 * mib,
  outputWaitingTotal: 256 * mib,
  pingInterval: 30 * second,
  anonymousLife: 10 * second,
  closeTime: 5 * second,
};

/** An instance as its sockets see it: with their limits in addition to its own. */
export type WsTelex = Telex & { readonly limits: WsLimits };

/** Adds the limits of sockets to an instance. */
export const withWsLimits = (telex: Telex, limits: Partial<WsLimits> = {}): WsTelex => ({
  ...telex,
  limits: { ...telex.limits, ...defaultWsLimits, ...limits },
});
