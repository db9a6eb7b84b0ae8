import { constants, existsSync } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { resolve } from "node:path";
import type { Logger } from "@telex/core";
import { codeOf, messageOf } from "../errors.ts";
import { manifestUrl, readManifest } from "../manifest.ts";
import { fieldOf } from "../unknown.ts";
import { settings } from "../settings/table.ts";
import type { Config } from "../settings/load.ts";
import { existing, isMongo, openStorage, schemeOf } from "../storage.ts";
import type { Check, Finding } from "./finding.ts";
import { checkBots } from "./bots.ts";
import { checkProxy } from "./proxy.ts";
import { safetyChecks } from "./safety.ts";
import { satisfies } from "./satisfies.ts";

/** The checks of `telex doctor`, by the name that is printed. One that throws has failed. */
export const checks: Readonly<Record<string, Check>> = {
  node: checkNode,
  data: checkData,
  space: checkSpace,
  storage: checkStorage,
  sharp: checkSharp,
  port: checkPort,
  bots: checkBots,
  proxy: checkProxy,
  clock: checkClock,
  timezone: checkTimeZone,
  ...safetyChecks,
};

async function checkNode(): Promise<Finding> {
  const { node: engines } = readManifest();
  const detail = `Node ${process.versions.node}`;
  if (satisfies(process.versions.node, engines)) return { status: "ok", detail };
  return { status: "fail", detail: `${detail}; Telex is tested on ${engines}`, hint: "Install one of these versions." };
}

const dataOf = (config: Config): string => resolve(config.get(settings.data));

async function checkData(config: Config): Promise<Finding> {
  const folder = dataOf(config);
  const there = existing(folder);
  try {
    await access(there, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return {
      status: "fail",
      detail: `${there} cannot be written`,
      hint: "Give it to this user, or choose another --data.",
    };
  }
  return { status: "ok", detail: there === folder ? `${folder} can be written` : `${folder} will be created` };
}

const mib = 2 ** 20;

async function checkSpace(config: Config): Promise<Finding> {
  const { bavail, bsize } = await statfs(existing(dataOf(config)));
  const free = bavail * bsize;
  const detail = `${free >= 1024 * mib ? `${(free / 1024 / mib).toFixed(1)} GiB` : `${Math.floor(free / mib)} MiB`} free`;
  if (free < 64 * mib) return { status: "fail", detail, hint: "Below 64 MiB the server takes no files." };
  return free < 1024 * mib
    ? { status: "warn", detail, hint: "Uploads may have 100 MB each." }
    : { status: "ok", detail };
}

async function checkStorage(config: Config): Promise<Finding> {
  const url = config.get(settings.storage);
  if (schemeOf(url) === "memory:") {
    return {
      status: "warn",
      detail: "memory: stores nothing permanently",
      hint: "All data is lost when the server stops.",
    };
  }
  if (isMongo(url)) return checkMongo(config);
  const file = resolve(url.slice("sqlite:".length));
  if (schemeOf(url) === "sqlite:" && !existsSync(file)) return { status: "ok", detail: `${file} will be created` };
  const { storage } = await openStorage(config, "operate");
  try {
    await storage.probe();
  } finally {
    await storage.close();
  }
  const { verifySqlite } = await import("@telex/storage-sqlite");
  const [fault, ...others] = verifySqlite({ file });
  if (fault === undefined) return { status: "ok", detail: `${url} opens, can be written, and is not damaged` };
  const more = others.length === 0 ? "" : ` And ${others.length} more.`;
  return { status: "fail", detail: `${url}: ${fault}${more}`, hint: "Restore a backup." };
}

/** Keeps the hints of warnings. */
function createHints() {
  const hints: string[] = [];
  const log: Logger = {
    info() {},
    warn: (event, fields) => void hints.push(String(fields?.["hint"] ?? event)),
    error() {},
  };
  return { hints, log };
}

/** What cannot be used is a sentence of its own. What the log of a server would warn of is a warning here, too. */
async function checkMongo(config: Config): Promise<Finding> {
  const { hints, log } = createHints();
  const { storage } = await openStorage(config, "operate", log);
  try {
    await storage.probe();
    const detail = "the database of MongoDB opens and can be written";
    return hints.length === 0 ? { status: "ok", detail } : { status: "warn", detail, hint: hints.join(" ") };
  } catch (error) {
    // Such as a clock that is wrong: the cause says more than "try again later".
    if (error instanceof Error && error.cause instanceof Error) return { status: "fail", detail: error.cause.message };
    throw error;
  } finally {
    await storage.close();
  }
}

async function checkSharp(): Promise<Finding> {
  try {
    const { default: sharp } = await import("sharp");
    return { status: "ok", detail: `sharp ${sharp.versions.sharp ?? ""} with libvips ${sharp.versions.vips}` };
  } catch (error) {
    const hint = "Install Telex on this machine itself: sharp brings a binary for each platform.";
    return { status: "fail", detail: `sharp does not load: ${messageOf(error).split("\n")[0] ?? ""}`, hint };
  }
}

async function checkPort(config: Config): Promise<Finding> {
  const [host, port] = [config.get(settings.host), config.get(settings.port)];
  const failed = await tryListen(host, port);
  if (failed === null)
    return { status: "ok", detail: port === 0 ? `the server can listen on ${host}` : `${host}:${port} is free` };
  const detail = `the server cannot listen on ${host}:${port} (${codeOf(failed) ?? failed.message})`;
  if (codeOf(failed) !== "EADDRINUSE") return { status: "fail", detail, hint: "Choose another --host or --port." };
  if (await isTelex(host, port)) return { status: "ok", detail: `${host}:${port} is in use by a running Telex server` };
  return { status: "fail", detail: `${host}:${port} is in use by another program`, hint: "Choose another --port." };
}

async function tryListen(host: string, port: number): Promise<Error | null> {
  const server = createServer();
  return await new Promise((done) => {
    server.once("error", done);
    server.listen({ host, port, exclusive: true }, () => server.close(() => done(null)));
  });
}

async function isTelex(host: string, port: number): Promise<boolean> {
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host;
  try {
    const answer = await fetch(`http://${name}:${port}/healthz`, { signal: AbortSignal.timeout(2000) });
    const body: unknown = await answer.json();
    return fieldOf(body, "code") !== undefined && fieldOf(body, "data") !== undefined;
  } catch {
    return false;
  }
}

async function checkClock(): Promise<Finding> {
  const now = new Date();
  const { mtime } = await stat(manifestUrl());
  if (now >= mtime) return { status: "ok", detail: now.toISOString() };
  return {
    status: "fail",
    detail: `${now.toISOString()} is before Telex was installed`,
    hint: "Set the machine's clock.",
  };
}

async function checkTimeZone(config: Config): Promise<Finding> {
  const { createZone } = await import("@telex/core");
  const zone = config.get(settings.timeZone);
  return { status: "ok", detail: `${zone}, now ${createZone(zone).format(Date.now())}` };
}
