import type { IncomingMessage, ServerResponse } from "node:http";
import { definePlugin, type Plugin } from "@telex/core";
import { collectDefaultMetrics, Registry } from "prom-client";
import { observeCalls } from "./calls.ts";
import { showFigures } from "./figures.ts";
import { observeWork } from "./work.ts";

/** The metrics of one instance. */
export interface Metrics {
  /** The plug-in to pass to `createTelex({ plugins: [metrics.plugin] })`. */
  readonly plugin: Plugin;
  /** The value of `Content-Type` for {@link Metrics.text}. */
  readonly contentType: string;
  /** All figures in the text format of Prometheus. */
  readonly text: () => Promise<string>;
  /**
   * Answers `GET /metrics` on a Node server, and 404 for other requests. It checks no token, so offer it only where no one but your
   * Prometheus can reach it. Never throws.
   */
  readonly handle: (req: IncomingMessage, res: ServerResponse) => void;
}

/** Gauges of prom-client with the suffix of counters, which Prometheus' checker rejects. */
const misnamed = ["nodejs_active_handles_total", "nodejs_active_requests_total", "nodejs_active_resources_total"];

async function respond(registry: Registry, { method = "", url = "" }: IncomingMessage, res: ServerResponse) {
  if (url.split("?", 1)[0] !== "/metrics") {
    res.writeHead(404).end();
  } else if (method !== "GET" && method !== "HEAD") {
    res.writeHead(405, { allow: "GET, HEAD" }).end();
  } else {
    const text = await registry.metrics();
    res.writeHead(200, { "content-type": registry.contentType, "cache-control": "no-store" });
    res.end(method === "HEAD" ? undefined : text);
  }
}

/**
 * Metrics for Prometheus of one instance and its process. Labels are names of operations, routes, channels, models and error
 * codes. They never contain input of a caller.
 * @example
 * import { createServer } from "node:http";
 *
 * const metrics = createMetrics();
 * const telex = await createTelex({ ...options, plugins: [metrics.plugin] });
 * createServer(metrics.handle).listen(9464, "127.0.0.1");
 */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
  const plugin = definePlugin({
    name: "metrics",
    observer: { ...observeCalls(registers), ...observeWork(registers) },
    start(telex) {
      showFigures(registers, telex);
      return Promise.resolve(undefined);
    },
  });
  return {
    plugin,
    contentType: registry.contentType,
    text: () => registry.metrics(),
    handle(req, res) {
      respond(registry, req, res).catch(() => {
        if (res.headersSent) res.destroy();
        else res.writeHead(500).end();
      });
    },
  };
}
