import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { dirname, join } from "node:path";
import type { Logger } from "@telex/core";
import type { TelexOptions } from "@telex/core";
import type { PluginRoute } from "@telex/http";
import type { Metrics } from "@telex/metrics";
import { createRecent } from "@telex/metrics/recent";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { listenError } from "./listen-error.ts";

type Plugin = NonNullable<TelexOptions["plugins"]>[number];

/** The port of the metrics. */
interface MetricsServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** The observers of a server. */
export interface Observing {
  readonly plugins: readonly Plugin[];
  /** The operations by which admins read them. */
  readonly routes: readonly PluginRoute[];
  /**
   * The log, whose events of security are kept.
   * @param securityLog the file in which commands of the operator record their changes; null for a storage without files
   */
  readonly listen: (log: Logger, securityLog: string | null) => Logger;
  /**
   * Opens the port of the metrics; null if they are off.
   * @throws Failure if the server cannot listen on it
   */
  readonly open: () => Promise<MetricsServer | null>;
}

/** Writes a line of the log for each response. */
const accessLog = (log: Logger): Plugin => ({
  name: "access-log",
  observer: {
    response: ({ method, route, status, ms, address }) =>
      log.info("http.response", { method, route, status, ms: Math.round(ms * 10) / 10, address: address() }),
  },
});

async function closeAll(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
}

async function open(metrics: Metrics, { get }: Config): Promise<MetricsServer> {
  const [host, port] = [get(settings.metricsHost), get(settings.metricsPort) ?? 0];
  const server = createServer({ maxHeaderSize: 16 * 1024 }, metrics.handle).listen({ host, port });
  try {
    await once(server, "listening");
  } catch (cause) {
    throw listenError(cause, { host, port, hostFlag: "--metrics-host", portFlag: "--metrics-port" });
  }
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}/metrics`,
    close: () => closeAll(server),
  };
}

/** The API of OpenTelemetry registers an SDK here, such as one that `NODE_OPTIONS=--import` loads. */
const openTelemetry = Symbol.for("opentelemetry.js.api.1");

const isTraced = (): boolean => Reflect.has(globalThis, openTelemetry);

const auditFilesOf = (securityLog: string) => ({
  commands: securityLog,
  server: join(dirname(securityLog), "audit.log"),
});

/** Creates the observers that the settings turn on, and traces if an SDK of OpenTelemetry is registered. Other packages are not loaded. */
export async function createObserving(config: Config, log: Logger): Promise<Observing> {
  const { get } = config;
  const metrics = get(settings.metricsPort) === null ? null : (await import("@telex/metrics")).createMetrics();
  const recent = createRecent();
  return {
    routes: recent.routes,
    listen: (own, securityLog) => recent.listen(own, securityLog === null ? null : auditFilesOf(securityLog)),
    plugins: [
      recent.plugin,
      ...(isTraced() ? [(await import("@telex/tracing")).createTracing()] : []),
      ...(metrics === null ? [] : [metrics.plugin]),
      ...(get(settings.accessLog) ? [accessLog(log)] : []),
    ],
    open: async () => (metrics === null ? null : await open(metrics, config)),
  };
}
