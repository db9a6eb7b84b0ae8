import { constants, existsSync } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { resolve } from "node:path";
import type { Storage } from "@telex/core/storage";
import { messageOf } from "../errors/errors.ts";
import { manifestUrl, readManifest } from "../manifest.ts";
import { settings } from "../settings/table.ts";
import type { Config } from "../settings/load.ts";
import { isMongo } from "../storage/mongo.ts";
import { existing } from "../storage/place.ts";
import { checkBots } from "./bots.ts";
import { type Check, fail, type Finding, ok, warn } from "./finding.ts";
import { checkBroker, checkBus, checkFiles, createHints } from "./places.ts";
import { checkProxy } from "./proxy.ts";
import { checkRooms } from "./rooms.ts";
import { safetyChecks } from "./safety.ts";
import { satisfies } from "./satisfies.ts";
import { databaseOf, withStorage } from "./stored.ts";
import { checkTools } from "./tools.ts";
import { checkPort } from "./check-port.ts";

/** The checks of `telex doctor`, by their printed names. A check that throws has failed. */
export const checks: Readonly<Record<string, Check>> = {
  node: checkNode,
  data: checkData,
  space: checkSpace,
  storage: checkStorage,
  files: checkFiles,
  bus: checkBus,
  mqtt: checkBroker,
  sharp: checkSharp,
  port: checkPort,
  bots: checkBots,
  tools: checkTools,
  rooms: checkRooms,
  proxy: checkProxy,
  clock: checkClock,
  timezone: checkTimeZone,
  ...safetyChecks,
};

async function checkNode(): Promise<Finding> {
  const { node: engines } = readManifest();
  const detail = `Node ${process.versions.node}`;
  if (satisfies(process.versions.node, engines)) return ok(detail);
  return fail(`${detail}; Telex is tested on ${engines}`, "Install one of these versions.");
}

const dataOf = (config: Config): string => resolve(config.get(settings.data));

const isWritable = (folder: string): Promise<boolean> =>
  access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );

async function checkData(config: Config): Promise<Finding> {
  const folder = dataOf(config);
  const there = existing(folder);
  if (await isWritable(there)) return ok(there === folder ? `${folder} can be written` : `${folder} will be created`);
  return fail(`${there} cannot be written`, "Give it to this user, or choose another --data.");
}

const mib = 2 ** 20;

const gib = 1024 * mib;

const sizeText = (bytes: number): string =>
  bytes >= gib ? `${(bytes / gib).toFixed(1)} GiB` : `${Math.floor(bytes / mib)} MiB`;

async function checkSpace(config: Config): Promise<Finding> {
  const { bavail, bsize } = await statfs(existing(dataOf(config)));
  const free = bavail * bsize;
  const detail = `${sizeText(free)} free`;
  if (free < 64 * mib) return fail(detail, "Below 64 MiB the server accepts no files.");
  return free < gib ? warn(detail, "An upload may have 100 MB.") : ok(detail);
}

async function checkStorage(config: Config): Promise<Finding> {
  if (isMongo(config.get(settings.storage))) return checkMongo(config);
  const file = databaseOf(config);
  if (file === null) return warn("memory: stores nothing permanently", "All data is lost when the server stops.");
  return existsSync(file) ? checkSqlite(config, file) : ok(`${file} will be created`);
}

/** Maximum messages to count, so that the check stays fast. */
const maxCounted = 100_000;

/** Tries to write. Returns a sentence about messages that must be renewed, or "". */
async function probe(storage: Storage): Promise<string> {
  await storage.probe();
  const outdated = await storage.messages.countOutdated(maxCounted);
  const count = outdated === maxCounted ? `${maxCounted} or more` : `${outdated}`;
  return outdated === 0 ? "" : `; ${count} messages of an earlier version get their pinyin again while a server runs`;
}

async function checkSqlite(config: Config, file: string): Promise<Finding> {
  const outdated = await withStorage(config, probe);
  const { verifySqlite } = await import("@telex/storage-sqlite");
  const [fault, ...others] = verifySqlite({ file });
  const url = config.get(settings.storage);
  if (fault === undefined) return ok(`${url} opens, can be written, and is not damaged${outdated}`);
  const more = others.length === 0 ? "" : ` And ${others.length} more.`;
  return fail(`${url}: ${fault}${more}`, "Restore a backup.");
}

/** The error of an unusable database explains itself. Warnings of a server's log are warnings here, too. */
async function checkMongo(config: Config): Promise<Finding> {
  const { hints, log } = createHints();
  try {
    const detail = `the database of MongoDB opens and can be written${await withStorage(config, probe, log)}`;
    return hints.length === 0 ? ok(detail) : warn(detail, hints.join(" "));
  } catch (error) {
    // For example, for a wrong clock: the cause says more than "try again later".
    if (error instanceof Error && error.cause instanceof Error) return { status: "fail", detail: error.cause.message };
    throw error;
  }
}

async function checkSharp(): Promise<Finding> {
  try {
    const { default: sharp } = await import("sharp");
    return ok(`sharp ${sharp.versions.sharp ?? ""} with libvips ${sharp.versions.vips}`);
  } catch (error) {
    const hint = "Install Telex on this machine itself: sharp brings a binary for each platform.";
    return fail(`sharp does not load: ${messageOf(error).split("\n")[0] ?? ""}`, hint);
  }
}

async function checkClock(): Promise<Finding> {
  const now = new Date();
  const { mtime } = await stat(manifestUrl());
  if (now >= mtime) return ok(now.toISOString());
  return fail(`${now.toISOString()} is before Telex was installed`, "Set the machine's clock.");
}

async function checkTimeZone(config: Config): Promise<Finding> {
  const { createZone } = await import("@telex/core");
  const zone = config.get(settings.timeZone);
  return ok(`${zone}, now ${createZone(zone).format(Date.now())}`);
}
