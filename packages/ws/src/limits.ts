import type { Telex } from "@telex/core";

const second = 1000;
const kib = 1024;
const mib = 1024 * kib;

/** Limits of WebSockets. `createWs(telex, { limits })` changes single ones. */
export interface WsLimits {
  /** Maximum bytes of one message, its fragments together. */
  readonly frameSize: number;
  /** Running and waiting commands of one connection. With this many, its socket is not read. */
  readonly commandQueue: number;
  /** Maximum bytes that wait for one connection. Beyond it, the connection counts as too slow. */
  readonly outputWaiting: number;
  /** Maximum bytes that wait for all connections together. Beyond it, the fullest are closed. */
  readonly outputWaitingTotal: number;
  /** Milliseconds between two pings, and the time limit for a pong. */
  readonly pingInterval: number;
  /** Milliseconds after which a connection without a valid token is closed. */
  readonly anonymousLife: number;
  /** Milliseconds for the other side to answer a close frame. */
  readonly closeTime: number;
}

/** The defaults of {@link WsLimits}. */
export const defaultWsLimits: WsLimits = {
  frameSize: 256 * kib,
  commandQueue: 64,
  outputWaiting: 4 * mib,
  outputWaitingTotal: 256 * mib,
  pingInterval: 30 * second,
  anonymousLife: 10 * second,
  closeTime: 5 * second,
};

/** An instance with the limits of sockets in addition to its own. */
export type WsTelex = Telex & { readonly limits: WsLimits };

/** Adds the limits of sockets to an instance. */
export const withWsLimits = (telex: Telex, limits: Partial<WsLimits> = {}): WsTelex => ({
  ...telex,
  limits: { ...telex.limits, ...defaultWsLimits, ...limits },
});
