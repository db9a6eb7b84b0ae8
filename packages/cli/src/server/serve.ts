import { BlockList, isIP } from "node:net";
import { operator } from "@telex/core";
import type { Logger } from "@telex/core";
import type { Command } from "commander";
import { commonOf, configOf, talkOf } from "../options/command.ts";
import { UsageError } from "../errors/errors.ts";
import { createLog } from "../instance/log.ts";
import { print, printJson } from "../terminal/output.ts";
import type { Config } from "../settings/load.ts";
import { defaultUrl } from "../settings/rows/client.ts";
import { flagOf } from "../settings/setting.ts";
import { settings } from "../settings/table.ts";
import { onStopSignals } from "../terminal/signals.ts";
import { schemeOf } from "../storage/storage.ts";
import type { Talk } from "../terminal/talk.ts";
import { setupLinkOf } from "./accounts.ts";
import { startServer } from "./start.ts";
import type { Running } from "./start.ts";

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
  log.info("server.listening", {
    address: running.url,
    scheme: schemeOf(config.get(settings.storage)),
    locale: config.get(settings.locale) ?? "auto",
    pid: process.pid,
  });
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

function formOf(config: Config): "json" | "pretty" {
  const form = config.get(settings.log);
  if (form !== "auto") return form;
  return process.stderr.isTTY ? "pretty" : "json";
}

/** Prints the address that clients use on stdout. */
async function announce(command: Command, config: Config, running: Running, demo: boolean): Promise<void> {
  const url = config.get(settings.baseUrl) ?? running.url;
  const { json = false } = commonOf(command);
  // First: programs that read the address find the file of the link complete.
  const setup = demo ? null : await offerSetup(config, running, process.stdout.isTTY && !json);
  if (demo) {
    const [{ createDemo }, { printDemo }] = await Promise.all([import("./demo.ts"), import("./print-demo.ts")]);
    const urlFlag = url === defaultUrl ? "" : ` --url ${url}`;
    await printDemo(await createDemo(running, config, url), urlFlag, json);
  } else if (json) printJson({ url, wsUrl: url.replace(/^http/, "ws") });
  else print(`Telex answers at ${url}`);
  const talk = talkOf(command);
  const isRead = formOf(config) === "pretty";
  if (setup !== null) print(`Open this link within 24 hours to become the admin: ${setup}`);
  if (!demo) await adviseBeginner(config, running, isRead ? talk : null);
  // A log of JSON lines has the locale in `server.listening`, and contains nothing but JSON.
  if (isRead) adviseLanguage(config, talk);
  talk.detail("Ctrl-C stops it.");
}

/**
 * Makes the link of the first admin, and returns it for a terminal. Without one, the output may be stored where others read it, so the link
 * is in a file that the log names.
 */
async function offerSetup(config: Config, { auth, telex, url }: Running, isShown: boolean): Promise<string | null> {
  const link = await setupLinkOf(config, auth, url);
  if (link === null || isShown) return link?.url ?? null;
  telex.log.info("accounts.setup", { file: await link.writeFile() });
  return null;
}

/** An installation without users is useless, so the message says how to add one to this storage. */
async function adviseBeginner(config: Config, { telex }: Running, talk: Talk | null): Promise<void> {
  const users = await telex.operator.users.list(operator, { limit: 1 });
  if (users.length > 0) return;
  if (schemeOf(config.get(settings.storage)) === "memory:") {
    talk?.note(
      "There are no users, and other commands cannot add users to memory:. --demo adds some and prints commands to try.",
    );
    return;
  }
  const storage = flagsOf(config);
  if (talk === null) {
    telex.log.warn("server.no_users", { next: `telex user add alice --issue-token${storage}` });
    return;
  }
  talk.note(
    `There are no users yet. In a second terminal, in this folder: telex user add alice --issue-token${storage}`,
  );
  talk.note(`Another token for user 1: telex token issue --user 1 --scope chat${storage}`);
}

/** The flags with which another command finds the storage of this one; empty for the defaults. */
const flagsOf = (config: Config): string =>
  config
    .entries()
    .filter(({ name, origin }) => (name === "data" || name === "storage") && origin === flagOf(name))
    .map(({ name, value }) => ` ${flagOf(name)} ${String(value)}`)
    .join("");

/** Chinese errors, which the interface requires by default, may surprise clients that name no language. */
function adviseLanguage(config: Config, talk: Talk): void {
  if (config.get(settings.locale) !== null) return;
  talk.note(
    "Errors on the paths and sockets of the interface are in Chinese for clients that send no Accept-Language; --locale en makes them English.",
  );
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

/** True if everything was closed in time. */
async function stopWithin(running: Running, log: Logger): Promise<boolean> {
  const started = Date.now();
  const { promise: late, resolve } = Promise.withResolvers<false>();
  setTimeout(() => resolve(false), stopTime.all).unref();
  const stopped = running.stop(stopTime.transports).then(
    () => true,
    (cause: unknown) => {
      log.error("server.stop_failed", {}, cause);
      return false;
    },
  );
  const whole = await Promise.race([stopped, late]);
  const fields = { ms: Date.now() - started };
  if (whole) log.info("server.stopped", fields);
  else log.error("server.stopped_unfinished", fields);
  return whole;
}
