import { existsSync } from "node:fs";
import type { Logger } from "@telex/core";
import { messageOf } from "../errors/errors.ts";
import { isFolder, openBlobs, shownPlace } from "../storage/blobs.ts";
import { assertBus, busOf } from "../server/bus.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { isMongo } from "../storage/mongo.ts";
import { schemeOf } from "../storage/opened.ts";
import { fail, type Finding, ok, warn } from "./finding.ts";

/** Collects warnings of a log: their advice for an operator, or else the event. */
export function createHints() {
  const hints: string[] = [];
  const log: Logger = {
    info() {},
    warn: (event, fields) => void hints.push(String(fields?.["hint"] ?? fields?.["reason"] ?? event)),
    error() {},
  };
  return { hints, log };
}

/** The message of the cause, which names the fault, such as a key that the bucket does not accept. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}

/** Opens the place of files with its keys, and writes a file there. */
export async function checkFiles(config: Config): Promise<Finding> {
  const [storage, place] = [config.get(settings.storage), config.get(settings.blobs)];
  if (schemeOf(storage) === "memory:") return warn("files are in memory", "They are lost when the server stops.");
  if (isFolder(place) && isMongo(storage)) return ok("files are in the database");
  const shown = shownPlace(place);
  if (isFolder(place) && !existsSync(place)) return ok(`${shown} will be created`);
  const blobs = await openBlobs(config, { place, floor: 0 });
  try {
    await blobs.probe();
    return ok(`${shown} can be written`);
  } catch (error) {
    return fail(`${shown} cannot be used: ${reasonOf(error)}`, "Check the address and its keys.");
  } finally {
    await blobs.close();
  }
}

/** Connects to NATS with the user, password or token of its addresses. */
export async function checkBus(config: Config): Promise<Finding> {
  const shown = config.entries().find(({ name }) => name === "bus")?.shown ?? "";
  if (shown === "") return ok("no NATS is set");
  assertBus(config);
  const { hints, log } = createHints();
  const { bus } = await busOf(config, log, { createBus: null });
  const member = await bus?.join(() => undefined);
  await member?.leave();
  const [reason] = hints;
  return reason === undefined
    ? ok(`${shown} accepts this server`)
    : fail(`${shown} does not answer: ${reason}`, "Start NATS, or correct the addresses in bus.");
}

/** Connects to the MQTT broker with the user and the password of its address. */
export async function checkBroker(config: Config): Promise<Finding> {
  const url = config.get(settings.mqttUrl);
  if (url === null) return ok("no MQTT broker is set");
  const { shownBroker, tryBroker } = await import("@telex/mqtt/broker");
  try {
    await tryBroker(url);
    return ok(`${shownBroker(url)} accepts this server`);
  } catch (error) {
    const hint = "Start the broker, or correct mqttUrl. It must speak MQTT 5.";
    return fail(`${shownBroker(url)} cannot be used: ${messageOf(error)}`, hint);
  }
}
