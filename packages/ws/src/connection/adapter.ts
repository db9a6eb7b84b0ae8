import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "@telex/core";
import type { Hooks, Message, Peer } from "crossws";
import nodeAdapter, { type NodeAdapter } from "crossws/adapters/node";
import { NodeRequest } from "srvx/node";
import { createTurns } from "./turns.ts";
import { createSocket, type Socket } from "./socket.ts";

/** Handlers of the events of one connection. */
export interface ConnectionHooks {
  message(text: string | null): void;
  /** Receives binary messages in place of `message`. */
  binary?(content: Uint8Array): void;
  ping(content: Uint8Array): void;
  pong(): void;
  drain(): void;
  close(): void;
  /** The other side violated the protocol, or its connection failed; `close` follows. `reason` is the text of the error. */
  failed?(reason: string): void;
}

/** An upgrade to accept. */
export interface Acceptance {
  readonly request: IncomingMessage;
  /** The caller must already listen to its errors, because crossws awaits its hooks before it listens. */
  readonly socket: Duplex;
  readonly head: Buffer;
  /** The subprotocol to speak, if any. */
  readonly protocol: string | undefined;
  /** Called when the connection is open. */
  readonly open: (socket: Socket) => ConnectionHooks;
}

/** Limits of an {@link Acceptor}, and its log. */
export interface AcceptorOptions {
  /** Maximum bytes of one message, its fragments together. */
  readonly maxPayload: number;
  /** Maximum milliseconds for the other side to answer a close frame. */
  readonly closeTimeout: number;
  readonly log: Logger;
}

/** Turns upgrade requests into open connections. */
export interface Acceptor {
  accept(acceptance: Acceptance): void;
  /** Returns the connections that crossws knows, for tests. */
  readonly peers: () => NodeAdapter["peers"];
}

/** The namespace of all connections. By default crossws keeps one for each path permanently, and these paths contain tokens. */
const namespace = "telex";

function receive(hooks: ConnectionHooks, { rawData }: Pick<Message, "rawData">): void {
  if (typeof rawData === "string") hooks.message(rawData);
  else if (hooks.binary === undefined) hooks.message(null);
  else if (rawData instanceof Uint8Array) hooks.binary(rawData);
}

/**
 * Node reads up to 2 MiB of a connection in a tick: with the smallest frames, nobody else would be served while all of them are read. Most
 * connections send less than this, and are read immediately.
 */
const turnLimits = { maxBytes: 8192, perTick: 1 };

/**
 * Dispatches the events of crossws to their connections. An error in a hook would end the process, so it cuts the connection
 * instead.
 */
function createHooks(acceptances: WeakMap<object, Acceptance>, log: Logger): Partial<Hooks> {
  const connections = new WeakMap<object, ConnectionHooks>();
  const turns = createTurns(turnLimits);
  const guard = (peer: Peer, act: () => void): void => {
    try {
      act();
    } catch (cause) {
      log.error("ws.hook_failed", {}, cause);
      peer.terminate();
    }
  };
  const pass = (peer: Peer, act: (hooks: ConnectionHooks) => void): void => {
    const hooks = connections.get(peer.context);
    if (hooks !== undefined) guard(peer, () => act(hooks));
  };
  const open = (peer: Peer): void => {
    const acceptance = acceptances.get(peer.context);
    if (acceptance === undefined) return;
    acceptances.delete(peer.context);
    guard(peer, () => connections.set(peer.context, acceptance.open(createSocket(peer, acceptance.socket, turns))));
  };
  return {
    upgrade({ context }) {
      const protocol = context === undefined ? undefined : acceptances.get(context)?.protocol;
      return protocol === undefined ? {} : { protocol };
    },
    open,
    message: (peer, message) => pass(peer, (hooks) => receive(hooks, message)),
    ping: (peer, content) => pass(peer, (hooks) => hooks.ping(content)),
    pong: (peer) => pass(peer, (hooks) => hooks.pong()),
    drain: (peer) => pass(peer, (hooks) => hooks.drain()),
    close: (peer) => pass(peer, (hooks) => hooks.close()),
    error: (peer, error) => pass(peer, (hooks) => hooks.failed?.(error.message)),
  };
}

/**
 * The adapter of crossws. Pings, pongs and mirrors are Telex's own (`heartbeat.ts`, `send-queue.ts`), because crossws pings all
 * connections in one tick and its `publish` visits all connections for each message.
 */
export function createAcceptor({ maxPayload, closeTimeout, log }: AcceptorOptions): Acceptor {
  const acceptances = new WeakMap<object, Acceptance>();
  const serverOptions = { maxPayload, closeTimeout, clientTracking: false, autoPong: false };
  const hooks = createHooks(acceptances, log);
  // Created for the first upgrade: with the library, Node loads web classes that take about 15 MiB.
  let adapter: NodeAdapter | undefined;
  const options = { idleTimeout: 0, getNamespace: () => namespace, serverOptions, hooks };
  const opened = (): NodeAdapter => (adapter ??= nodeAdapter(options));
  return {
    accept(acceptance) {
      const { request, socket, head } = acceptance;
      const context = {};
      acceptances.set(context, acceptance);
      // The context of the request becomes that of the peer.
      const webRequest = Object.assign(new NodeRequest({ req: request }), { context });
      opened()
        .handleUpgrade(request, socket, head, webRequest)
        .catch((cause: unknown) => {
          log.error("ws.upgrade_failed", {}, cause);
          socket.destroy();
        });
    },
    peers: () => opened().peers,
  };
}
