import { UsageError } from "../../errors/errors.ts";

/** Options of a driver from its address: texts, and `true` and `false`. */
export type DriverOptions = Readonly<Record<string, string | boolean>>;

/** Drivers that can keep files, with the packages that each needs in addition to unstorage. */
const packagesOfDrivers: Readonly<Record<string, string>> = {
  "azure-cosmos": "@azure/cosmos@4 @azure/identity@4",
  http: "",
  "netlify-blobs": "@netlify/blobs@11",
  planetscale: "@planetscale/database@1",
  redis: "ioredis@5",
  upstash: "@upstash/redis@1",
  "vercel-kv": "@vercel/kv@3",
};

const forgets = "keeps files only until the process ends. Use a folder, a bucket or another driver.";
const unsynced =
  "does not wait until the disk has the bytes, so a power cut loses files. Name the folder itself: --blobs <folder>.";
const late = "shows what was stored to other readers only later, so files would be missing. Use another driver.";
const elsewhere = "does not run in Node. Use another driver.";
const small = "stores only small values, and files are stored in parts of 1 MiB. Use another driver.";
const objects =
  "needs objects, which an address cannot contain. In a server of your own, give it to createUnstorageBlobs of @telex/blobs/unstorage.";

/** Drivers that would lose files or show them to others, each with the rest of a sentence that gives the reason. */
const refusals: Readonly<Record<string, string>> = {
  memory: forgets,
  "lru-cache": forgets,
  null: "keeps nothing. Use a folder, a bucket or another driver.",
  fs: unsynced,
  "fs-lite": unsynced,
  "cloudflare-kv-binding": late,
  "cloudflare-kv-http": late,
  "vercel-runtime-cache": late,
  "capacitor-preferences": elsewhere,
  "cloudflare-r2-binding": elsewhere,
  "deno-kv": elsewhere,
  indexedb: elsewhere,
  localstorage: elsewhere,
  "session-storage": elsewhere,
  "azure-app-configuration": small,
  "azure-key-vault": small,
  "azure-storage-table": small,
  "deno-kv-node": small,
  db0: objects,
  overlay: objects,
  "azure-storage-blob": "reports a failure as a missing file. Use another driver.",
  github: "only reads. Use another driver.",
  mongodb:
    "searches the entire collection for each part, and never closes its connection. With --storage mongodb://<host>/<database>, files are in the database.",
  s3: "lists no more than 1000 objects. Name the bucket itself: --blobs s3:<endpoint>/<bucket>.",
  uploadthing: "does not list all files. Use another driver.",
  "vercel-blob": "publishes each file at an address that needs no token. Use another driver.",
};

const refused = (driver: string, why: string): UsageError => new UsageError(`The unstorage driver ${driver} ${why}`);

/**
 * Rejects drivers and options that would lose files.
 * @throws UsageError
 */
export function assertKeepsFiles(driver: string, options: DriverOptions): void {
  const why = Object.hasOwn(refusals, driver) ? refusals[driver] : undefined;
  if (why !== undefined) throw refused(driver, why);
  if ("ttl" in options) throw refused(driver, "must have no option ttl: files would disappear after that time.");
  if (driver === "netlify-blobs" && options["consistency"] !== "strong")
    throw refused(driver, "must have the option consistency=strong: otherwise stored files are missing for a while.");
}

/** The error for a driver that unstorage does not have. */
export const unknownDriver = (driver: string): UsageError =>
  new UsageError(
    `unstorage has no driver "${driver}". Drivers that can keep files are ${Object.keys(packagesOfDrivers).join(", ")}.`,
  );

/** The packages to install for a driver, as arguments of npm. */
export const packagesFor = (driver: string, missing: string): string =>
  ["unstorage@1", packagesOfDrivers[driver] ?? missing].join(" ").trim();

/**
 * The options in the query of an address.
 * @throws UsageError for an option without a name or a value, with invalid escapes, or that occurs twice
 */
export function readOptions(query: string): DriverOptions {
  const options: Record<string, string | boolean> = {};
  for (const pair of query === "" ? [] : query.split("&")) {
    const [name = "", ...rest] = pair.split("=");
    const value = decoded(rest.join("="));
    if (!/^[A-Za-z]\w*$/.test(name) || Object.hasOwn(options, name) || value === null || value === "") {
      throw new UsageError(
        "The options of an unstorage driver must look like ?name=value&other=value, each name once, with & written as %26 and % as %25 in values.",
      );
    }
    options[name] = value === "true" || value === "false" ? value === "true" : value;
  }
  return options;
}

/** Does not decode as a form, which would turn a plus into a space. */
function decoded(value: string): string | null {
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}
