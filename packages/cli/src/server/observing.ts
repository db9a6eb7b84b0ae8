import { once } from "node:events";
import { createServer } from "node:http";
import type { Logger } from "@telex/core";
import type { TelexOptions } from "@telex/core";
import type { Metrics } from "@telex/metrics";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { listenError } from "./listen-error.ts";

type Plugin = NonNullable<TelexOptions["plugins"]>[number];

/** A port on which metrics are read. */
interface MetricsServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** What looks at a server while it works. */
interface Observing {
  readonly plugins: readonly Plugin[];
  /**
   * Opens the port of the metrics; null if they are off.
   * @throws Failure if it cannot be listened on
   */
  readonly listen: () => Promise<MetricsServer | null>;
}

/** Writes a line of the log for each response. */
const accessLog = (log: Logger): Plugin => ({
  name: "access-log",
  observer: {
    response: ({ method, route, status, ms, address }) =>
      log.info("http.response", { method, route, status, ms: Math.round(ms * 10) / 10, address: address() }),
  },
});

async function listen(metrics: Metrics, { get }: Config): Promise<MetricsServer> {
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
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** Where the API of OpenTelemetry keeps what an SDK has registered, such as one that `NODE_OPTIONS=--import` loads. */
const openTelemetry = Symbol.for("opentelemetry.js.api.1");

const isTraced = (): boolean => Reflect.has(globalThis, openTelemetry);

/** What the settings turn on, and traces if an SDK of OpenTelemetry is registered. Nothing of the rest is loaded. */
export async function createObserving(config: Config, log: Logger): Promise<Observing> {
  const { get } = config;
  const metrics = get(settings.metricsPort) === null ? null : (await import("@telex/metrics")).createMetrics();
  return {
    plugins: [
      ...(isTraced() ? [(await import("@telex/tracing")).createTracing()] : []),
      ...(metrics === null ? [] : [metrics.plugin]),
      ...(get(settings.accessLog) ? [accessLog(log)] : []),
    ],
    listen: async () => (metrics === null ? null : await listen(metrics, config)),
  };
}
