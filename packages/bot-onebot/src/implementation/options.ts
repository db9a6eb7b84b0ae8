import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Plugin } from "@telex/core";
import { optionKinds, type OptionKinds } from "@telex/core/options";
import type { RateLimiter } from "@telex/core/transport";
import type { Incoming } from "../link/incoming.ts";
import { functionKind, incomingKind, limiterKind } from "../link/option-kinds.ts";

/** Options of {@link createOneBotImplementation}. */
export interface OneBotImplementationOptions {
  /** The address at which frameworks download pictures and files, such as `https://telex.example`, without a slash at its end. */
  readonly baseUrl: string | (() => string);
  /** The path under which the host serves Telex. Default `""`. */
  readonly basePath?: string;
  /** `host:port` of hosts inside the network from which pictures and files may be fetched. Default: none. */
  readonly mediaAllow?: readonly string[];
  /**
   * Counts actions: `createRateLimiter`, the same one that `createHttp` gets, or a function that returns it, because it is made
   * after the instance. Default: no limits.
   */
  readonly rateLimiter?: RateLimiter | (() => RateLimiter);
  /** Proxies in front whose `X-Forwarded-For` is trusted; true for one. Default false. */
  readonly trustProxy?: boolean | number;
  /**
   * `incoming` of the `createOneBot` of the same process: the unfinished frames of both together take at most 256 MiB. Default: a separate bound.
   */
  readonly incoming?: Incoming;
  /** The version of the server, for frameworks that ask. Default `1`. */
  readonly appVersion?: string;
}

/** Telex as an implementation of OneBot: what frameworks connect to. */
export interface OneBotImplementation {
  /** For the `plugins` of `createTelex`. */
  readonly plugin: Plugin;
  /** Handles the upgrades of frameworks below `/external/api/v1/onebot/`. Returns false for any other path. */
  readonly handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** Handles their requests. Returns false for any other path. `serve` and `mount` call it. */
  readonly handleRequest: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Closes every connection. Telex does it, too, when it closes. */
  readonly close: () => Promise<void>;
}

const { text, list, flag, count, anyOf } = optionKinds;

export const implementationKinds: OptionKinds<OneBotImplementationOptions> = {
  baseUrl: anyOf(text, functionKind),
  basePath: optionKinds.basePath,
  mediaAllow: list,
  rateLimiter: limiterKind,
  trustProxy: anyOf(flag, count),
  incoming: incomingKind,
  appVersion: text,
};
