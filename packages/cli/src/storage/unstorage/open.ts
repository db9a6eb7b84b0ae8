import { setTimeout as delay } from "node:timers/promises";
import { createUnstorageBlobs } from "@telex/blobs/unstorage";
import { maskUrl } from "@telex/core/options";
import type { Driver } from "unstorage";
import type { OpenBlobs } from "../open-blobs.ts";
import { Failure, installed, messageOf, UsageError } from "../../errors/errors.ts";
import { unstoragePlace } from "../../settings/address-kinds.ts";
import { fieldOf, isObject } from "../../input/unknown.ts";
import { assertKeepsFiles, type DriverOptions, packagesFor, readOptions, unknownDriver } from "./drivers.ts";

/** Milliseconds in which a driver must store a value and find it. */
const probeTime = 15_000;

/**
 * Opens the files of a driver of unstorage, and tests that it stores, lists and removes values.
 * @throws UsageError for a driver that does not exist or cannot keep files, and for invalid options
 * @throws Failure `driver_missing` if unstorage, or a package that the driver needs, is not installed; `storage_unavailable`
 */
export async function openUnstorage(place: string): Promise<OpenBlobs> {
  const [, name, query = ""] = unstoragePlace.exec(place) ?? [];
  if (name === undefined)
    throw new UsageError("An unstorage driver must look like unstorage:redis?url=redis://127.0.0.1.");
  const options = readOptions(query);
  assertKeepsFiles(name, options);
  const missing = (cause: unknown): Failure => notInstalled(name, cause);
  const { createStorage, builtinDrivers } = await installed(import("unstorage"), missing);
  const path = Object.entries(builtinDrivers).find(([driver]) => driver === name)?.[1];
  if (path === undefined) throw unknownDriver(name);
  const module: unknown = await installed(import(path), missing);
  const refuse = failing(name, options);
  const driver = await createDriver(module, options).catch(refuse);
  const storage = createStorage({ driver });
  const blobs = createUnstorageBlobs(storage);
  const close = async (): Promise<void> => await storage.dispose();
  await withinTime(blobs.probe()).catch(async (error: unknown) => {
    await close();
    refuse(error);
  });
  return { ...blobs, close };
}

function notInstalled(driver: string, cause: unknown): Failure {
  const missing = /'((?:@[^/']+\/)?[^/']+)/.exec(messageOf(cause))?.[1] ?? "a package";
  const message = `The unstorage driver ${driver} needs ${missing}, which is not installed. Install it next to Telex: npm install ${packagesFor(driver, missing)}.`;
  return new Failure("driver_missing", message, { cause });
}

const isDriver = (value: unknown): value is Driver =>
  isObject(value) && ["hasItem", "getItem", "getKeys"].every((name) => typeof fieldOf(value, name) === "function");

async function createDriver(module: unknown, options: DriverOptions): Promise<Driver> {
  const create = fieldOf(module, "default");
  const driver: unknown = typeof create === "function" ? await Reflect.apply(create, undefined, [options]) : null;
  if (!isDriver(driver)) throw new TypeError("it is not a driver that this Telex can use.");
  // Without a listener, the client itself would log each failure. The calls that fail report them.
  const client: unknown = driver.name === "redis" ? driver.getInstance?.() : null;
  if (isObject(client) && "on" in client && typeof client.on === "function")
    Reflect.apply(client.on, client, ["error", () => {}]);
  return driver;
}

async function withinTime(work: Promise<void>): Promise<void> {
  const ended = new AbortController();
  const late = delay(probeTime, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`it did not respond within ${probeTime / 1000} s.`);
  });
  // The loser of the race has no handler.
  late.catch(() => {});
  await Promise.race([work, late]).finally(() => ended.abort());
}

/** The error for a driver that does not work, without the values that the operator has given. */
const failing =
  (driver: string, options: DriverOptions) =>
  (error: unknown): never => {
    const reason = messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error);
    const secrets = Object.values(options).filter((value) => typeof value === "string" && value.length > 3);
    const shown = secrets.reduce<string>((text, secret) => text.replaceAll(String(secret), "********"), reason);
    throw new Failure("storage_unavailable", `The unstorage driver ${driver} does not work: ${maskUrl(shown)}`);
  };
