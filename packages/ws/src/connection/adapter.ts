import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "@telex/core";
import type { Hooks, Peer } from "crossws";
import nodeAdapter, { type NodeAdapter } from "crossws/adapters/node";
import { createSocket, type Socket } from "./socket.ts";

/** What is done with the events of one connection. */
export interface ConnectionHooks {
  message(text: string | null): void;
  ping(content: Uint8Array): void;
  pong(): void;
  drain(): void;
  close(): void;
  /** The other side breaks the protocol, or its connection fails; `close` follows. `reason`: the text of the error. */
  failed?(reason: string): void;
}

/** An upgrade that is taken. */
export interface Acceptance {
  readonly request: IncomingMessage;
  /** Somebody must listen to its errors already: crossws waits for its hooks before it does. */
  readonly socket: Duplex;
  readonly head: Buffer;
  /** The subprotocol to speak, if any. */
  readonly protocol: string | undefined;
  /** Called when the connection is open. */
  readonly open: (socket: Socket) => ConnectionHooks;
}

/** What an {@link Acceptor} needs. */
export interface AcceptorOptions {
  /** Bytes of one message, its fragments together. */
  readonly maxPayload: number;
  /** Milliseconds that the other side has for its part in closing. */
  readonly closeTimeout: number;
  readonly log: Logger;
}

/** Turns upgrade requests into open connections. */
export interface Acceptor {
  accept(acceptance: Acceptance): void;
  /** For tests: what crossws remembers. */
  readonly peers: NodeAdapter["peers"];
}

/** All connections share one: by default crossws keeps one for each path permanently, and these paths contain tokens. */
const namespace = "telex";

/**
 * The events of crossws, taken to the connection that they belong to. A hook that throws, or whose promise rejects, would end
 * the process: here it cuts its connection.
 */
function createHooks(acceptances: WeakMap<object, Acceptance>, log: Logger): Partial<Hooks> {
  const connections = new WeakMap<object, ConnectionHooks>();
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
    guard(peer, () => connections.set(peer.context, acceptance.open(createSocket(peer, acceptance.socket))));
  };
  return {
    upgrade({ context }) {
      const protocol = context === undefined ? undefined : acceptances.get(context)?.protocol;
      return protocol === undefined ? {} : { protocol };
    },
    open,
    message: (peer, { rawData }) => pass(peer, (hooks) => hooks.message(typeof rawData === "string" ? rawData : null)),
    ping: (peer, content) => pass(peer, (hooks) => hooks.ping(content)),
    pong: (peer) => pass(peer, (hooks) => hooks.pong()),
    drain: (peer) => pass(peer, (hooks) => hooks.drain()),
    close: (peer) => pass(peer, (hooks) => hooks.close()),
    error: (peer, error) => pass(peer, (hooks) => hooks.failed?.(error.message)),
  };
}

/**
 * Our calls of crossws. Pings, pongs and mirrors are ours (`heartbeat.ts`, `outbox.ts`): its own pings go to all
 * connections in one tick, and its `publish` looks at all connections for each message.
 */
export function createAcceptor({ maxPayload, closeTimeout, log }: AcceptorOptions): Acceptor {
  const acceptances = new WeakMap<object, Acceptance>();
  const serverOptions = { maxPayload, closeTimeout, clientTracking: false, autoPong: false };
  const hooks = createHooks(acceptances, log);
  const adapter = nodeAdapter({ idleTimeout: 0, getNamespace: () => namespace, serverOptions, hooks });
  return {
    accept(acceptance) {
      const { request, socket, head } = acceptance;
      const context = {};
      acceptances.set(context, acceptance);
      // Its own request object would hold the address, and with it the token.
      const webRequest = Object.assign(new Request("http://telex.invalid/"), { context });
      adapter.handleUpgrade(request, socket, head, webRequest).catch((cause: unknown) => {
        log.error("ws.upgrade_failed", {}, cause);
        socket.destroy();
      });
    },
    peers: adapter.peers,
  };
}
