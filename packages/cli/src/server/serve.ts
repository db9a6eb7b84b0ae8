import { BlockList, isIP } from "node:net";
import type { Logger } from "@telex/core";
import type { Command } from "commander";
import { configOf } from "../options/command.ts";
import { UsageError } from "../errors/errors.ts";
import { createLog } from "../instance/log.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { onStopSignals } from "../terminal/signals.ts";
import { schemeOf } from "../storage/opened.ts";
import { startServer } from "./start.ts";
import type { Running } from "./start.ts";
import { formOf, announce } from "./announce.ts";
import { beginOptimizing } from "./optimizing.ts";
import { growYoungGeneration } from "./young-generation.ts";

/** Milliseconds over which a server that gets SIGUSR2 closes its sockets. */
const drainTime = 30_000;

/** Milliseconds for stopping as a whole, and until the server cuts open connections. */
const stopTime = { all: 5000, transports: 4000 } as const;

export interface DemoOptions {
  /** True if other machines may reach the demo. */
  readonly isPublic: boolean;
}

/** Addresses that only this machine can reach. */
const loopback = new BlockList();

loopback.addSubnet("127.0.0.0", 8);

loopback.addAddress("::1", "ipv6");

const isLoopback = (host: string): boolean =>
  host === "localhost" || (isIP(host) !== 0 && loopback.check(host, isIP(host) === 6 ? "ipv6" : "ipv4"));

/** A demo prints valid tokens and asks for no password. */
function assertDemoHost(config: Config, demo: DemoOptions | null): void {
  const host = config.get(settings.host);
  if (demo === null || demo.isPublic || isLoopback(host)) return;
  throw openDemo(host);
}

const openDemo = (host: string): UsageError =>
  new UsageError(
    `--demo only listens on this machine, but other machines can reach --host ${host}. Leave out --host, or add --demo-public.`,
  );

/**
 * Runs the server until a signal. It then stops in order, within five seconds.
 * @throws UsageError for invalid settings, and for a demo that other machines could reach
 */
export async function serve(command: Command, demo: DemoOptions | null): Promise<void> {
  const config = await configOf(command);
  assertDemoHost(config, demo);
  const log = await createLog(formOf(config), config.get(settings.logLevel), config.get(settings.serverId));
  const stopping = Promise.withResolvers<number>();
  watchFaults(log, stopping.resolve);
  const running = await startServer(config, log);
  watchSignals(log, stopping.resolve);
  drainAtSignal(running);
  const memory = config.get(settings.memory);
  beginOptimizing(memory);
  if (memory === "normal") growYoungGeneration();
  log.info("server.listening", {
    address: running.url,
    scheme: schemeOf(config.get(settings.storage)),
    locale: config.get(settings.locale) ?? "auto",
    pid: process.pid,
  });
  for (const address of running.mqttUrls) log.info("mqtt.listening", { address });
  if (running.metricsUrl !== null) log.info("metrics.listening", { address: running.metricsUrl });
  const work = announce(command, config, running, demo !== null);
  const exitCode = await Promise.race([stopping.promise, work.then(async () => await stopping.promise)]).catch(
    async (error: unknown) => {
      await stopWithin(running, log);
      throw error;
    },
  );
  process.exit((await stopWithin(running, log)) ? exitCode : 1);
}

/** The first signal stops the server in order. A second one ends the process immediately. */
function watchSignals(log: Logger, stop: (exitCode: number) => void): void {
  onStopSignals(
    (signal) => {
      log.info("server.stopping", { signal });
      stop(0);
    },
    () => process.exit(1),
  );
}

/** Passes clients and accounts to the other servers. Windows does not have the signal. */
function drainAtSignal({ telex }: Running): void {
  process.on("SIGUSR2", () => void telex.drain(drainTime));
}

/** An uncaught error is a fault of Telex. It is logged, and the process stops in order, because its state is unknown. */
function watchFaults(log: Logger, stop: (exitCode: number) => void): void {
  process.on("uncaughtException", (cause) => {
    log.error("process.uncaught_exception", {}, cause);
    stop(1);
  });
  process.on("unhandledRejection", (cause) => {
    log.error("process.unhandled_rejection", {}, cause);
    stop(1);
  });
}

/** False if stopping failed. */
const stop = (running: Running, log: Logger): Promise<boolean> =>
  running.stop(stopTime.transports).then(
    () => true,
    (cause: unknown) => {
      log.error("server.stop_failed", {}, cause);
      return false;
    },
  );

/** True if everything was closed in time. */
async function stopWithin(running: Running, log: Logger): Promise<boolean> {
  const started = Date.now();
  const { promise: late, resolve } = Promise.withResolvers<false>();
  setTimeout(() => resolve(false), stopTime.all).unref();
  const whole = await Promise.race([stop(running, log), late]);
  const fields = { ms: Date.now() - started };
  if (whole) log.info("server.stopped", fields);
  else log.error("server.stopped_unfinished", fields);
  return whole;
}
