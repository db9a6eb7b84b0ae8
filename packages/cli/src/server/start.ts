import { existsSync } from "node:fs";
import { type Auth, createAccessTokenVerifier } from "@telex/auth-server";
import { createTelex, type Logger, type Storage, type Telex } from "@telex/core";
import type { ImageEngine } from "@telex/image-text/sharp";
import { type RateLimiter, unlimited } from "@telex/core/transport";
import { createHttp, serve } from "@telex/http";
import type { Http, ServeAllOptions, Serving } from "@telex/http";
import { reference } from "@telex/reference";
import { pages } from "@telex/web";
import { createWs } from "@telex/ws";
import { createLazyEngine } from "../instance/engine.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { openStorage } from "../storage/storage.ts";
import { telexOptionsOf } from "../instance/telex-options.ts";
import { accountsOf, linkAddressOf } from "./accounts.ts";
import { aiPluginsOf } from "./ai.ts";
import { withTools } from "./ai-tools.ts";
import { assertBus, busOf } from "./bus.ts";
import { listenError } from "./listen-error.ts";
import { mcpMountsOf } from "./mcp.ts";
import { mqttOf } from "./mqtt.ts";
import { createObserving, type Observing } from "./observing.ts";
import { botsOf, oneBotOf } from "./onebot.ts";
import { checkProviders } from "./providers.ts";
import { httpOptionsOf, rateLimiterOf, wsOptionsOf } from "./options.ts";

/** A running server. */
export interface Running {
  readonly telex: Telex;
  readonly storage: Storage;
  readonly images: ImageEngine;
  readonly auth: Auth;
  /** The address that it listens on. */
  readonly url: string;
  /** The address of the metrics; null if they are off. */
  readonly metricsUrl: string | null;
  /** The addresses of MQTT; none if it is off. */
  readonly mqttUrls: readonly string[];
  /**
   * Stops in order: finishes calls in progress, wakes waiting polls, and closes the sockets and then the storage.
   * @param time milliseconds until open connections are cut
   */
  stop(time: number): Promise<void>;
}

/** Rejects settings that contradict each other, before anything is opened. */
async function assertSettings(config: Config): Promise<void> {
  assertBus(config);
  await checkProviders(config);
}

/**
 * Opens the storage and listens on the configured address.
 * @throws UsageError for invalid settings
 * @throws Failure such as `address_in_use`, if the server cannot listen on the address
 */
export async function startServer(config: Config, log: Logger): Promise<Running> {
  const fromSettings = await telexOptionsOf(config);
  const ai = await withTools(await aiPluginsOf(config), config);
  const observing = await createObserving(config, log);
  await assertSettings(config);
  const opened = await openStorage(config, "serve", log);
  const { storage, blobs } = opened;
  const bus = await busOf(config, log, opened).catch(async (error: unknown) => {
    await storage.close();
    throw error;
  });
  const images = createLazyEngine();
  const late = { address: "", rateLimiter: unlimited };
  const bots = botsOf(config, () => late.rateLimiter);
  const running = { address: () => late.address, rateLimiter: () => late.rateLimiter, incoming: bots.incoming };
  const oneBot = await oneBotOf(config, running);
  const telex = await createTelex({
    ...fromSettings,
    ...bus,
    plugins: [...ai, bots.plugin, ...observing.plugins, ...oneBot.map(({ plugin }) => plugin)],
    storage,
    otherTokens: createAccessTokenVerifier(storage),
    blobs,
    images,
    log: observing.listen(log, opened.securityLog),
  });
  late.rateLimiter = rateLimiterOf(config, telex);
  const { auth, http, ws } = transportsOf(config, { telex, storage, routes: observing.routes }, late);
  const refuse = async (error: unknown): Promise<never> => {
    await telex.close();
    throw error;
  };
  const mqtt = await mqttOf(config, telex, late.rateLimiter).catch(refuse);
  const serving = await listen(config, { telex, http, ws: [bots, ...oneBot, ...mqtt.sockets, ws] }).catch(refuse);
  const orClose = async (error: unknown): Promise<never> => {
    await serving.close(0);
    throw error;
  };
  const mqttUrls = await mqtt.listen().catch(orClose);
  const metrics = await observing.open().catch(orClose);
  late.address = serving.url;
  return {
    telex,
    storage,
    images,
    auth,
    url: serving.url,
    metricsUrl: metrics?.url ?? null,
    mqttUrls,
    async stop(time) {
      await mqtt.close();
      await serving.close(time);
      await metrics?.close();
      await images.close();
    },
  };
}

/** The parts of a server that exist once it listens. */
interface Late {
  readonly address: string;
  readonly rateLimiter: RateLimiter;
}

/** HTTP and sockets with accounts on both. */
function transportsOf(
  config: Config,
  { telex, storage, routes: others }: Pick<Running, "telex" | "storage"> & Pick<Observing, "routes">,
  late: Late,
) {
  const { rateLimiter } = late;
  const baseUrl = () => linkAddressOf(config, late.address);
  const auth = accountsOf(config, telex, storage, baseUrl);
  const { authenticator, routes, forms, mounts } = auth;
  const ws = createWs(telex, { ...wsOptionsOf(config), rateLimiter, authenticator });
  // The pages may not have been built in a clone.
  const http: Http = createHttp(telex, {
    ...httpOptionsOf(config),
    ...(existsSync(pages.directory) && { pages }),
    reference,
    documents: { "/asyncapi.json": ws.asyncApi },
    rateLimiter,
    authenticator,
    routes: [...routes, ...others],
    forms,
    mounts: [
      ...mounts,
      ...mcpMountsOf(config, telex, {
        baseUrl,
        applications: auth.services.applications,
        fetch: async (request) => await http.fetch(request),
      }),
    ],
  });
  return { auth, http, ws };
}

async function listen(config: Config, served: ServeAllOptions): Promise<Serving> {
  const host = config.get(settings.host);
  const port = config.get(settings.port);
  try {
    return await serve({ ...served, host, port });
  } catch (error) {
    throw listenError(error, { host, port, hostFlag: "--host", portFlag: "--port" });
  }
}
