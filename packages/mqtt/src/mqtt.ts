import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Telex } from "@telex/core";
import { checkOptions, optionKinds, type OptionKinds } from "@telex/core/options";
import { type RateLimiter, unlimited } from "@telex/core/transport";
import { createCallers } from "@telex/ws/acceptor";
import { defaultMqttLimits, type MqttLimits } from "./limits.ts";
import { createConnections } from "./server/connections.ts";
import { type Listener, type ListenOptions, listenTcp } from "./server/tcp.ts";
import { createWebSockets } from "./server/websocket.ts";

/** Options of {@link createMqtt}. */
export interface MqttOptions {
  /** The path under which the host serves Telex, such as `/telex`. Default `""`. */
  readonly basePath?: string;
  /** The first level of the topics of Home Assistant's discovery, such as `homeassistant`; `""` for none. Default `homeassistant`. */
  readonly discovery?: string;
  /** Limits connections and packets: the same limiter of `createRateLimiter` that `createHttp` gets. Default: no limits. */
  readonly rateLimiter?: RateLimiter;
  /** The number of trusted proxies in front of the WebSockets; true for one. Default false. */
  readonly trustProxy?: boolean | number;
  /** Maximum open connections of one address (one /64 network of IPv6). Default: no limit. */
  readonly socketsPerAddress?: number;
  /** Maximum open connections of one token. Default: no limit. */
  readonly socketsPerToken?: number;
  /** Changes some limits. */
  readonly limits?: Partial<MqttLimits>;
}

/** MQTT of one Telex. */
export interface Mqtt {
  /**
   * Listens over TCP, or with a certificate over TLS. Can be called several times.
   * @returns the port
   * @throws Error if it cannot listen on the address, or the certificate is not valid
   */
  listen(options: ListenOptions): Promise<number>;
  /** Handles an `upgrade` event of a Node server for `/mqtt`. Returns false for other paths. */
  handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** Connections that are open or closing. */
  readonly size: number;
  /**
   * Stops listening, answers the packets in progress, and closes every connection. Connections that are still open at
   * `deadline` (Unix milliseconds; default: after the time for closing) are cut. A second call waits for the first.
   */
  close(deadline?: number): Promise<void>;
}

const kinds: OptionKinds<MqttOptions> = {
  basePath: optionKinds.basePath,
  discovery: optionKinds.text,
  rateLimiter: optionKinds.port(["count", "charge"], "createRateLimiter()"),
  trustProxy: optionKinds.anyOf(optionKinds.flag, optionKinds.count),
  socketsPerAddress: optionKinds.count,
  socketsPerToken: optionKinds.count,
  limits: optionKinds.limits(defaultMqttLimits),
};

/**
 * Creates MQTT for an instance: devices receive and send texts, and owners watch their devices and write to them. Call `close` before
 * you close Telex.
 * @throws TypeError for an unknown option, or one of the wrong type
 * @example
 * const mqtt = createMqtt(telex);
 * const port = await mqtt.listen({ host: "127.0.0.1", port: 1883 });
 */
export function createMqtt(telex: Telex, options: MqttOptions = {}): Mqtt {
  checkOptions("createMqtt", options, kinds);
  const { basePath = "", discovery: prefix = "homeassistant", rateLimiter = unlimited, trustProxy = false } = options;
  const { socketsPerAddress = Number.POSITIVE_INFINITY, socketsPerToken = Number.POSITIVE_INFINITY } = options;
  const limits: MqttLimits = { ...defaultMqttLimits, ...options.limits };
  const callers = createCallers({ rateLimiter, proxies: Number(trustProxy), socketsPerAddress, socketsPerToken });
  const connections = createConnections({ telex, limits, callers, discovery: prefix === "" ? null : { prefix } });
  const listeners: Listener[] = [];
  let closing: Promise<void> | null = null;
  const isRefusing = (): boolean => closing !== null || telex.isDraining();
  const close = async (deadline: number): Promise<void> => {
    const stopped = listeners.map((listener) => listener.stop());
    await connections.close(deadline);
    for (const listener of listeners) listener.cut();
    await Promise.all(stopped);
  };
  return {
    async listen(where) {
      const listener = await listenTcp({ connections, callers, handshakeTime: limits.connectWait }, where);
      listeners.push(listener);
      return listener.port;
    },
    handleUpgrade: createWebSockets({ telex, connections, callers, limits, path: `${basePath}/mqtt`, isRefusing }),
    get size() {
      return connections.size();
    },
    close: (deadline = telex.clock.now() + limits.closeTime) => (closing ??= close(deadline)),
  };
}
