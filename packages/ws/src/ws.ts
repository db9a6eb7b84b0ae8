import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type Telex, TelexError } from "@telex/core";
import {
  addressKey,
  type Locale,
  localeOf,
  type RateLimiter,
  type RequestAuthenticator,
  unlimited,
} from "@telex/core/transport";
import { checkOptions, optionKinds, type OptionKinds } from "@telex/core/options";
import { assertDistinct, type Channel } from "./channels/channel.ts";
import { channels as ownChannels } from "./channels/channels.ts";
import { createAsyncApi } from "./asyncapi.ts";
import { type ConnectionHooks, createAcceptor } from "./connection/adapter.ts";
import { type Callers, createCallers } from "./connection/callers.ts";
import { type Connection, createConnection } from "./connection/connection.ts";
import { createEventEncoder } from "./connection/events.ts";
import { createHeartbeat } from "./connection/heartbeat.ts";
import { createSendQueues } from "./connection/send-queue.ts";
import { refuseUpgrade } from "./connection/refusal.ts";
import type { Socket } from "./connection/socket.ts";
import { defaultWsLimits, type WsLimits, type WsTelex, withWsLimits } from "./limits.ts";
import { checkHandshake, chooseProtocol, findTarget, readUpgradeToken, type Target } from "./connection/upgrade.ts";

/** Options of {@link createWs}. */
export interface WsOptions {
  /** The path under which the host serves Telex, such as `/telex`, even if the host removes it from URLs. Default `""`. */
  readonly basePath?: string;
  /** Upgrades to other paths are left to the caller (`leave`) or rejected with 404 (`refuse`). Default `leave`. */
  readonly others?: "leave" | "refuse";
  /** Limits upgrades and commands: `createRateLimiter`, the same one that `createHttp` gets. Default: no limits. */
  readonly rateLimiter?: RateLimiter;
  /** The number of trusted proxies that set `X-Forwarded-For`; true for one. Default false: the socket's address counts. */
  readonly trustProxy?: boolean | number;
  /** Maximum open sockets of one address (one /64 network of IPv6). Default: no limit. */
  readonly socketsPerAddress?: number;
  /** Maximum open sockets of one token. Default: no limit. */
  readonly socketsPerToken?: number;
  /** Authenticates upgrades without a token, and tickets in its place: `createAuth` of `@telex/auth-server`. Default: none. */
  readonly authenticator?: RequestAuthenticator;
  /** Channels in addition to those of Telex, made with `defineChannel`. Default: none. */
  readonly channels?: readonly Channel[];
  /** Changes of single limits. */
  readonly limits?: Partial<WsLimits>;
}

/** The sockets of one Telex. */
export interface Ws {
  /**
   * Handles an `upgrade` event of a Node server. Returns false if the path does not belong to Telex; the caller then handles the
   * socket. Returns true if Telex handles it, whether it becomes a WebSocket or is rejected.
   */
  handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** Connections that are open or closing. */
  readonly size: number;
  /** Every channel with its commands and events, as an AsyncAPI 3 document. */
  readonly asyncApi: () => object;
  /**
   * Rejects upgrades, accepts no more commands, answers the running ones and closes every connection with 1001. Connections that
   * are still open at `deadline` (Unix milliseconds; default: after the time for closing) are cut. A second call waits for the first.
   */
  close(deadline?: number): Promise<void>;
}

/** The open connections, and the moment when there are none. */
function createOpenConnections() {
  const all = new Set<Connection>();
  let emptied: (() => void) | null = null;
  return {
    all,
    delete(connection: Connection): void {
      all.delete(connection);
      if (all.size === 0) emptied?.();
    },
    /** Resolves when the last connection has ended. */
    empty: () =>
      new Promise<void>((resolve) => {
        emptied = resolve;
        if (all.size === 0) resolve();
      }),
  };
}

const networkOf = (address: string | null): string | null => (address === null ? null : addressKey(address));

type Entering = Target & {
  readonly address: string | null;
  readonly locale: Locale;
  readonly header: (name: string) => string | null;
};

type Opened = Entering & { readonly socket: Socket };

function createConnections(telex: WsTelex, callers: Callers, authenticator: RequestAuthenticator | undefined) {
  const { clock, limits } = telex;
  const open = createOpenConnections();
  const encoder = createEventEncoder();
  const queues = createSendQueues({ each: limits.outputWaiting, all: limits.outputWaitingTotal });
  const heartbeat = createHeartbeat(clock, limits.pingInterval);
  return {
    all: open.all,
    open(opened: Opened): Connection {
      const connection = createConnection({ telex, queues, encoder, callers, authenticator, ...opened });
      open.all.add(connection);
      heartbeat.add(connection);
      return connection;
    },
    delete(connection: Connection): void {
      connection.gone();
      heartbeat.delete(connection);
      open.delete(connection);
    },
    async close(deadline: number): Promise<void> {
      const empty = open.empty();
      for (const connection of open.all) connection.leave("stopping");
      const cancel = clock.after(Math.max(0, deadline - clock.now()), () => {
        for (const connection of open.all) connection.terminate();
      });
      await empty;
      cancel();
      heartbeat.stop();
    },
  };
}

const optionKindsOfWs: OptionKinds<WsOptions> = {
  basePath: optionKinds.basePath,
  others: optionKinds.oneOf("leave", "refuse"),
  rateLimiter: optionKinds.port(["count", "charge"], "createRateLimiter()"),
  trustProxy: optionKinds.anyOf(optionKinds.flag, optionKinds.count),
  socketsPerAddress: optionKinds.count,
  socketsPerToken: optionKinds.count,
  authenticator: optionKinds.port(["authenticate", "assertUpgrade", "redeem"], "createAuth()"),
  channels: optionKinds.list,
  limits: optionKinds.limits(defaultWsLimits),
};

const callersOf = ({ rateLimiter, trustProxy, socketsPerAddress, socketsPerToken }: WsOptions): Callers =>
  createCallers({
    rateLimiter: rateLimiter ?? unlimited,
    proxies: Number(trustProxy ?? false),
    socketsPerAddress: socketsPerAddress ?? Number.POSITIVE_INFINITY,
    socketsPerToken: socketsPerToken ?? Number.POSITIVE_INFINITY,
  });

/** Reads the headers of a request by name. Returns all values of a repeated header. */
const headerOf =
  ({ headers }: IncomingMessage) =>
  (name: string): string | null => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(", ") : (value ?? null);
  };

/** Admits the sockets of valid upgrade requests. Throws a TelexError for the others. */
const createEnter =
  (callers: Callers, authenticator: RequestAuthenticator | undefined, isClosing: () => boolean) =>
  (request: IncomingMessage, socket: Duplex, target: Target | null): Omit<Entering, "locale"> => {
    if (target === null) throw new TelexError("not_found");
    const refusal = isClosing() ? new TelexError("shutting_down") : checkHandshake(request);
    if (refusal !== null) throw refusal;
    const address = callers.addressOf(request);
    const token = readUpgradeToken(target.token, request.headers);
    const header = headerOf(request);
    if (token === null) authenticator?.assertUpgrade({ header });
    socket.once("close", callers.enterFrom(address));
    return { ...target, token, address, header };
  };

/** The language of an upgrade and of its failures: `?lang=`, then `Accept-Language`, then the default of its path. */
function languageOf({ locale, otherLocale }: WsTelex, { headers }: IncomingMessage, target: Target | null): Locale {
  const isInterface = target !== null && ownChannels.includes(target.channel);
  const wishes = { lang: target?.query.get("lang") ?? null, header: headers["accept-language"] };
  return localeOf(wishes, isInterface ? locale : otherLocale);
}

/** Reports the status of each upgrade request to an observer. */
const createObserve =
  ({ observer }: WsTelex, callers: Callers, basePath: string) =>
  (request: IncomingMessage, target: Target | null, status: number): void => {
    const route = target === null ? "other" : basePath + target.channel.path;
    const address = (): string | null => networkOf(callers.addressOf(request));
    observer.response?.({ method: "GET", route, status, ms: 0, address });
  };

const hooksOf = (connection: Connection, close: () => void): ConnectionHooks => ({
  message: connection.receive,
  ping: connection.pinged,
  pong: connection.ponged,
  drain: connection.drained,
  close,
});

/**
 * Creates the sockets of a Telex instance. Pass `upgrade` events to `handleUpgrade`, and call `close` before you close Telex.
 * @throws TypeError for an option that is unknown or of the wrong type
 * @throws TypeError if two channels have the same name or path
 */
export function createWs(instance: Telex, options: WsOptions = {}): Ws {
  checkOptions("createWs", options, optionKindsOfWs);
  const telex = withWsLimits(instance, options.limits);
  const { basePath = "", others = "leave" } = options;
  const { clock, limits, log } = telex;
  const channels = assertDistinct([...ownChannels, ...(options.channels ?? [])]);
  const callers = callersOf(options);
  const connections = createConnections(telex, callers, options.authenticator);
  const acceptor = createAcceptor({ maxPayload: limits.frameSize, closeTimeout: limits.closeTime, log });
  let closing: Promise<void> | null = null;
  const isRefusing = (): boolean => closing !== null || telex.isDraining();
  const enter = createEnter(callers, options.authenticator, isRefusing);
  const observe = createObserve(telex, callers, basePath);
  const open = (entering: Entering, socket: Socket): ConnectionHooks => {
    const connection = connections.open({ ...entering, socket });
    if (closing !== null) connection.leave("stopping");
    return hooksOf(connection, () => connections.delete(connection));
  };
  return {
    handleUpgrade(request, socket, head) {
      const target = findTarget(channels, request.url ?? "", basePath);
      if (target === null && others === "leave") return false;
      // Node removes its listeners when it hands over a socket, and an unhandled error would end the process.
      socket.on("error", () => socket.destroy());
      const locale = languageOf(telex, request, target);
      try {
        const entering = { ...enter(request, socket, target), locale };
        const protocol = chooseProtocol(request.headers["sec-websocket-protocol"]);
        acceptor.accept({ request, socket, head, protocol, open: (opened) => open(entering, opened) });
        observe(request, target, 101);
      } catch (cause) {
        observe(request, target, refuseUpgrade(socket, TelexError.from(cause), locale));
      }
      return true;
    },
    get size() {
      return connections.all.size;
    },
    asyncApi: () => createAsyncApi(channels, basePath),
    close: (deadline = clock.now() + limits.closeTime) => (closing ??= connections.close(deadline)),
  };
}
