import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { type Clock, definePlugin, type Logger, type Plugin, systemClock, type Telex } from "@telex/core";
import { checkOptions, optionKinds, type OptionKinds } from "@telex/core/options";
import { createOutgoing } from "@telex/outgoing";
import type { RateLimiter } from "@telex/core/transport";
import { createBotFaults } from "./link/faults.ts";
import type { OneBotAccount } from "./account/options.ts";
import { createBotGateway } from "./gateway.ts";
import { createBudget } from "./link/budget.ts";
import { createIncoming, type Incoming } from "./link/incoming.ts";
import { assertAccounts, createDoorman } from "./connect/doorman.ts";
import { createGuard, limiterOf } from "./link/guard.ts";
import { limiterKind } from "./link/option-kinds.ts";
import { createReplays } from "./link/replays.ts";
import { createReverse } from "./connect/reverse.ts";
import { createWebhooks } from "./connect/webhooks.ts";

/** Maximum milliseconds and bytes for a picture or file of the network. */
const media = { timeout: 30_000, maxBytes: 100 * 2 ** 20 } as const;

/** Maximum characters of messages of all accounts that wait to be stored. */
const maxWaiting = 64 * 2 ** 20;

/** Options of {@link createOneBot}. */
export interface OneBotOptions {
  /** Accounts of the program, in addition to those of the storage (`operator.bots.add`). Default: none. */
  readonly accounts?: readonly OneBotAccount[];
  /** The path under which the host serves Telex. Default `""`. */
  readonly basePath?: string;
  /** `host:port` of hosts inside the network from which pictures and files may be fetched. Default: none. */
  readonly mediaAllow?: readonly string[];
  /**
   * Counts wrong secrets: `createRateLimiter`, the same one that `createHttp` gets, or a function that returns it, because it is made
   * after the instance. An address that has no calls left is refused with 429, whatever it shows. Default: no limits.
   */
  readonly rateLimiter?: RateLimiter | (() => RateLimiter);
  /** Proxies in front whose `X-Forwarded-For` is trusted; true for one. Default false. */
  readonly trustProxy?: boolean | number;
  /** Default: the clock of the machine. */
  readonly clock?: Clock;
}

/** The OneBot of an installation. */
export interface OneBot {
  /** For the `plugins` of `createTelex`. */
  readonly plugin: Plugin;
  /** Handles the upgrades of implementations, at `/onebot`. Returns false for any other path. */
  readonly handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** Handles the events that implementations post, below `/onebot`. Returns false for any other path. */
  readonly handleRequest: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Bounds the bytes that arrive on its connections. Pass it to `createOneBotImplementation`, so that one bound holds for both. */
  readonly incoming: Incoming;
  /**
   * Sends nothing more, waits for the answers to what was sent, at most until `deadline` (Unix milliseconds; default: now), and
   * closes every connection. Telex closes them, too, when it closes.
   */
  readonly close: (deadline?: number) => Promise<void>;
}

const kinds: OptionKinds<OneBotOptions> = {
  accounts: optionKinds.list,
  basePath: optionKinds.basePath,
  mediaAllow: optionKinds.list,
  rateLimiter: limiterKind,
  trustProxy: optionKinds.anyOf(optionKinds.flag, optionKinds.count),
  clock: optionKinds.port(["now", "after"], "a Clock"),
};

/** The logger and the observer of the instance, once it exists. */
function createLate() {
  let telex: Pick<Telex, "log" | "observer" | "leases"> | null = null;
  const log: Logger = {
    info: (event, fields) => telex?.log.info(event, fields),
    warn: (event, fields) => telex?.log.warn(event, fields),
    error: (event, fields, cause) => telex?.log.error(event, fields, cause),
  };
  const claim: Telex["leases"]["claim"] = async (...asked) => telex?.leases.claim(...asked) ?? true;
  return { log, claim, observer: () => telex?.observer ?? {}, set: (created: Telex) => void (telex = created) };
}

/**
 * Connects rooms of the types 0, 3, 4 and 5 to networks whose implementations speak OneBot 11 or 12.
 * @throws TypeError for an option that is unknown or of the wrong type, for two accounts with one name or token, and for two
 * official accounts
 * @example
 * const oneBot = createOneBot({ accounts: [{ account: "10001", token: process.env.BOT_TOKEN ?? null, isOfficial: true }] });
 * const telex = await createTelex({ storage, blobs, images, plugins: [oneBot.plugin] });
 * const ws = createWs(telex);
 * await serve({ telex, http: createHttp(telex), ws: [ws, oneBot] });
 */
export function createOneBot(options: OneBotOptions = {}): OneBot {
  checkOptions("createOneBot", options, kinds);
  const { accounts: initial = [], clock = systemClock } = options;
  assertAccounts(initial);
  const { log, claim, observer, set } = createLate();
  const faults = createBotFaults({ clock, log, observer, source: "onebot" });
  const incoming = createIncoming();
  const waiting = createBudget(maxWaiting);
  const outgoing = createOutgoing({ allow: options.mediaAllow ?? [], ...media });
  const fetchMedia = (url: string, signal: AbortSignal) => outgoing.open(url, signal);
  const { gateway, accounts, findWebhook, isRunning, drain } = createBotGateway(initial, {
    clock,
    faults,
    fetchMedia,
    incoming,
    waiting,
  });
  const { basePath = "", trustProxy = false } = options;
  const guard = createGuard(limiterOf(options.rateLimiter), Number(trustProxy));
  return {
    plugin: definePlugin({
      name: "onebot",
      gateways: [gateway],
      async start(telex) {
        set(telex);
        return undefined;
      },
    }),
    handleUpgrade: createReverse({
      basePath,
      admit: createDoorman(accounts),
      log,
      faults,
      guard,
      incoming,
      isRunning,
    }),
    handleRequest: createWebhooks({
      basePath,
      find: findWebhook,
      faults,
      guard,
      replays: createReplays({ clock, log, claim }),
      incoming,
      isRunning,
    }),
    incoming,
    async close(deadline = 0) {
      await drain(deadline);
      await gateway.close();
    },
  };
}
