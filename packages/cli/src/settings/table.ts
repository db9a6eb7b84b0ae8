import { maskAll, maskUrl } from "@telex/core/options";
import {
  folder,
  secret,
  storagePlace,
  blobPlace,
  choice,
  duration,
  host,
  integer,
  list,
  optional,
  plainName,
  origins,
  proxies,
  size,
  template,
  text,
  timeZone,
  toggle,
  url,
} from "./kind.ts";
import { aiEmbeddingModel, aiModel } from "./ai-model.ts";
import type { Kind } from "./kind.ts";
import { maskPlace } from "./mask-place.ts";

/** Reads the effective value of a setting. */
export type Read = <T>(setting: Setting<T>) => T;

/**
 * One setting. Its name has three spellings: `rateLimits` in a file, `TELEX_RATE_LIMITS` in the environment and
 * `--rate-limits` as a flag.
 */
export interface Setting<T> {
  readonly name: string;
  readonly kind: Kind<T>;
  /** The value when nobody gives one; it may follow from other settings. */
  readonly fallback: (read: Read) => T;
  readonly description: string;
  /** Makes a value fit to be shown, where it can hold a secret. */
  readonly mask?: (shown: string) => string;
}

const isFunction = <T>(fallback: T | ((read: Read) => T)): fallback is (read: Read) => T =>
  typeof fallback === "function";

const define = <T>(
  name: string,
  kind: Kind<T>,
  fallback: T | ((read: Read) => T),
  description: string,
  mask?: (shown: string) => string,
): Setting<T> => ({
  name,
  kind,
  fallback: isFunction(fallback) ? fallback : () => fallback,
  description,
  ...(mask && { mask }),
});

const access = choice("public", "token");
const hour = 3_600_000;
const day = 24 * hour;
const mib = 2 ** 20;

/** Where a server is that was started with no settings at all. */
export const defaultUrl = "http://127.0.0.1:7700";

const data = define("data", folder, "./telex-data", "folder of the database and the uploaded files");

const blobsAccessKey = define("blobsAccessKey", optional(secret("<key>")), null, "access key of the bucket in blobs");

const blobsSecretKey = define(
  "blobsSecretKey",
  optional(secret("<key>")),
  null,
  "secret key of the bucket in blobs; other users of the machine can see a flag, so prefer TELEX_BLOBS_SECRET_KEY",
  maskAll,
);

/** Every setting there is. A setting that is not here does not exist. */
export const settings = {
  host: define("host", host, "127.0.0.1", "address to listen on; 0.0.0.0 or :: for all addresses"),
  port: define("port", integer(0, 65_535), 7700, "port to listen on; 0 for any free port"),
  data,
  storage: define(
    "storage",
    storagePlace,
    (read) => `sqlite:${read(data).replace(/\/+$/, "")}/telex.db`,
    "where records are stored; memory: loses them when the process ends",
    maskUrl,
  ),
  blobs: define(
    "blobs",
    blobPlace,
    (read) => `${read(data).replace(/\/+$/, "")}/blobs`,
    "where the bytes of files are stored: a folder, s3:<endpoint>/<bucket>[/<prefix>][?region=<region>], or unstorage:<driver>[?<option>=<value>&...]",
    maskPlace,
  ),
  blobsAccessKey,
  blobsSecretKey,
  backupAccessKey: define(
    "backupAccessKey",
    optional(secret("<key>")),
    (read) => read(blobsAccessKey),
    "access key of the bucket of backups; by default that of blobs",
  ),
  backupSecretKey: define(
    "backupSecretKey",
    optional(secret("<key>")),
    (read) => read(blobsSecretKey),
    "secret key of the bucket of backups; other users of the machine can see a flag, so prefer TELEX_BACKUP_SECRET_KEY",
    maskAll,
  ),
  bus: define(
    "bus",
    list("addresses of NATS such as nats://10.0.0.1:4222", /^(nats|tls):\/\/[^\s,/]+\/?$/),
    [],
    "NATS servers that connect several servers on one storage; without NATS, servers on MongoDB use change streams",
    (shown) => shown.split(",").map(maskUrl).join(","),
  ),
  installation: define(
    "installation",
    plainName,
    "telex",
    "name of the installation on NATS; all its servers must have the same name, and other installations another one",
  ),
  serverId: define(
    "serverId",
    optional(plainName),
    null,
    "name of this server among several: in its log, in NATS, in telex status and in responses of /readyz",
  ),
  baseUrl: define(
    "baseUrl",
    optional(url("http:", "https:")),
    null,
    "address that clients use, if it differs from the one listened on",
    maskUrl,
  ),
  cors: define("cors", origins, [], "origins whose pages may call this server from a browser; * for all"),
  trustProxy: define("trustProxy", proxies, 0, "number of proxies in front that add to X-Forwarded-For; on means 1"),
  locale: define(
    "locale",
    optional(choice("zh-CN", "en")),
    null,
    "language of messages if the client asks for none; by default zh-CN on the paths and sockets of the interface, en elsewhere",
  ),
  timeZone: define("timeZone", timeZone, "UTC", "time zone of timestamps and of quota periods"),
  rateLimits: define("rateLimits", toggle, true, "limits on calls per token and per address"),
  socketsPerAddress: define(
    "socketsPerAddress",
    integer(1),
    500,
    "sockets that may be open from one address, with rateLimits on",
  ),
  socketsPerToken: define(
    "socketsPerToken",
    integer(1),
    100,
    "sockets that may be open with one token, with rateLimits on",
  ),
  accessImages: define("accessImages", access, "public", "who may turn stored pictures into text"),
  accessAvatars: define("accessAvatars", access, "public", "who may see avatars"),
  accessCodes: define("accessCodes", access, "public", "who may ask for upload codes and use them"),
  accessDownloads: define("accessDownloads", access, "public", "who may download files"),
  accessPairing: define("accessPairing", access, "public", "who may pair a device with a user"),
  avatarUrlExt: define(
    "avatarUrlExt",
    optional(template),
    null,
    "URL of avatars of external users, with {id} and {size}",
    maskUrl,
  ),
  avatarUrlExtGroup: define(
    "avatarUrlExtGroup",
    optional(template),
    null,
    "URL of avatars of external groups, with {id} and {size}",
    maskUrl,
  ),
  avatarAllow: define(
    "avatarAllow",
    list("host:port", /^(\[[0-9A-Fa-f:.]+\]|[^\s:,/[\]]+):\d{1,5}$/),
    [],
    "private addresses (host:port) from which the server may fetch avatars",
  ),
  onebot: define(
    "onebot",
    toggle,
    true,
    "let OneBot frameworks act as users for whom telex user set --onebot allows it",
  ),
  mediaAllow: define(
    "mediaAllow",
    list("host:port", /^(\[[0-9A-Fa-f:.]+\]|[^\s:,/[\]]+):\d{1,5}$/),
    [],
    "private addresses (host:port) from which the server may fetch pictures and files of bots",
  ),
  unknownRooms: define(
    "unknownRooms",
    choice("ignore", "create"),
    "ignore",
    "what happens with messages from rooms of external networks for which there is no chat room",
  ),
  missingImage: define("missingImage", choice("404", "placeholder"), "404", "response for an image that was deleted"),
  fileFloor: define(
    "fileFloor",
    size,
    512 * mib,
    "free space below which files are refused while records are still stored; 0 for no limit",
  ),
  recordFloor: define(
    "recordFloor",
    size,
    64 * mib,
    "free space below which the server reports that it is not ready; 0 for no limit",
  ),
  userUploads: define("userUploads", size, 1024 * mib, "bytes that a user may upload in a day"),
  codeUploads: define("codeUploads", size, 1024 * mib, "bytes that all uploads by code together may occupy"),
  unusedFileLife: define("unusedFileLife", duration, day, "how long a user's file is kept if no message uses it"),
  codeFileLife: define("codeFileLife", duration, hour, "how long a file that was uploaded by code is kept"),
  imageLife: define("imageLife", duration, 90 * day, "how long an image of a message is kept"),
  devicesPerUser: define("devicesPerUser", integer(1), 1000, "devices that a user may have"),
  deviceQueue: define("deviceQueue", integer(1), 10_000, "messages that may wait for one device"),
  quotaUnit: define("quotaUnit", choice("count", "token"), "count", "what the default quota counts"),
  quotaMax: define("quotaMax", integer(0), 100, "the default quota in a period"),
  quotaPeriod: define(
    "quotaPeriod",
    choice("daily", "weekly", "monthly"),
    "daily",
    "how long a period of the default quota is",
  ),
  aiUrl: define(
    "aiUrl",
    optional(url("http:", "https:")),
    null,
    "OpenAI-compatible service behind the AI chat, such as https://api.openai.com/v1; by default, the model echo repeats each question",
    maskUrl,
  ),
  aiKey: define(
    "aiKey",
    optional(secret("<key>")),
    null,
    "key of the service at aiUrl; other users of the machine can see a flag, so prefer TELEX_AI_KEY or aiKeyFile",
    maskAll,
  ),
  aiKeyFile: define(
    "aiKeyFile",
    optional(text("<file>")),
    null,
    "file with the key of the service at aiUrl; the server reads it for each request",
  ),
  aiModels: define(
    "aiModels",
    list("models such as gpt-5-mini@128000/16000 or fast=llama3:8b", aiModel),
    [],
    "models of the service at aiUrl, the default first: [name=]model[@contextTokens/maxOutputTokens][+images][+tools]; 8192/1024 by default",
  ),
  aiEmbeddingModels: define(
    "aiEmbeddingModels",
    list("models such as text-embedding-3-small@8192", aiEmbeddingModel),
    [],
    "models of the service at aiUrl that turn texts into vectors: [name=]model[@inputTokens]; 8192 by default",
  ),
  log: define("log", choice("auto", "json", "pretty"), "auto", "format of the log; auto is pretty on a terminal"),
  logLevel: define("logLevel", choice("error", "warn", "info"), "info", "the least important level that is logged"),
  accessLog: define("accessLog", toggle, false, "a line in the log for each response, with the template of its path"),
  metricsPort: define(
    "metricsPort",
    optional(integer(0, 65_535)),
    null,
    "port on which Prometheus reads /metrics, without a token; 0 for any free port",
  ),
  metricsHost: define("metricsHost", host, "127.0.0.1", "address to listen on for metricsPort"),
  url: define("url", url("http:", "https:"), defaultUrl, "server that client commands use", maskUrl),
  token: define(
    "token",
    optional(secret("<token>")),
    null,
    "access token of client commands; other users of the machine can see a flag, so prefer TELEX_TOKEN or a file",
    maskAll,
  ),
  profile: define(
    "profile",
    optional(text("<name>")),
    null,
    "server and token that telex login stored under this name",
  ),
  tokenFile: define("tokenFile", optional(text("<file>")), null, "file with the access token of client commands"),
} as const;

/** All settings, in the order of the table. */
export const allSettings: readonly Setting<unknown>[] = Object.values(settings);

/** `rateLimits` as `--rate-limits`. */
export const flagOf = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** `rateLimits` as `TELEX_RATE_LIMITS`. */
export const variableOf = (name: string): string =>
  `TELEX_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
