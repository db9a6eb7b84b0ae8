import { choice, duration, integer, list, optional, proxies, template, text, timeZone, toggle, url } from "./kind.ts";
import type { Kind } from "./kind.ts";
import { maskAll, maskUrl } from "./mask.ts";

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

const define = <T>(
  name: string,
  kind: Kind<T>,
  fallback: T | ((read: Read) => T),
  description: string,
  mask?: (shown: string) => string,
): Setting<T> => ({
  name,
  kind,
  fallback: fallback instanceof Function ? fallback : () => fallback,
  description,
  ...(mask && { mask }),
});

const access = choice("public", "token");
const hour = 3_600_000;
const day = 24 * hour;

/** Where a server is that was started with no settings at all. */
export const defaultUrl = "http://127.0.0.1:7700";

const data = define("data", text("<folder>"), "./telex-data", "Folder of the database and the uploaded files.");

/** Every setting there is. A setting that is not here does not exist. */
export const settings = {
  host: define("host", text("<address>"), "127.0.0.1", "Address to listen on; 0.0.0.0 or :: for all."),
  port: define("port", integer(0, 65_535), 7700, "Port to listen on; 0 for any that is free."),
  data,
  storage: define(
    "storage",
    text("<url>"),
    (read) => `sqlite:${read(data).replace(/\/+$/, "")}/telex.db`,
    "Where records are kept: sqlite:<file>, or memory: for as long as the process lives.",
    maskUrl,
  ),
  baseUrl: define(
    "baseUrl",
    optional(url("http:", "https:")),
    null,
    "Address that clients see, where it is not the one listened on.",
  ),
  trustProxy: define(
    "trustProxy",
    proxies,
    0,
    "How many proxies in front add to X-Forwarded-For; on for one. Others could claim any address.",
  ),
  locale: define("locale", choice("zh-CN", "en"), "zh-CN", "Language of texts whose reader names none."),
  timeZone: define("timeZone", timeZone, "UTC", "Offset of timestamps, borders of quota periods."),
  rateLimits: define("rateLimits", toggle, true, "Limits on calls per token and per address."),
  accessImages: define("accessImages", access, "public", "Who may turn stored pictures into text."),
  accessAvatars: define("accessAvatars", access, "public", "Who may see avatars."),
  accessCodes: define("accessCodes", access, "public", "Who may ask for upload codes and use them."),
  accessDownloads: define("accessDownloads", access, "public", "Who may download files."),
  avatarUrlExt: define(
    "avatarUrlExt",
    optional(template),
    null,
    "Where avatars of the external network come from, with {id} and {size}.",
    maskUrl,
  ),
  avatarUrlExtGroup: define(
    "avatarUrlExtGroup",
    optional(template),
    null,
    "The same for groups of the external network.",
    maskUrl,
  ),
  avatarAllow: define(
    "avatarAllow",
    list("host:port", /^(\[[0-9A-Fa-f:.]+\]|[^\s:,/[\]]+):\d{1,5}$/),
    [],
    "Private host:port that avatars may come from.",
  ),
  missingImage: define("missingImage", choice("404", "placeholder"), "404", "Answer for an image that is gone."),
  unusedFileLife: define("unusedFileLife", duration, day, "How long a file is kept that no message uses."),
  imageLife: define("imageLife", duration, 90 * day, "How long an image of a message is kept."),
  deviceQueue: define("deviceQueue", integer(1), 10_000, "Messages that may wait for one device."),
  quotaUnit: define("quotaUnit", choice("count", "token"), "count", "What the quota of a user without an own one counts."),
  quotaMax: define("quotaMax", integer(0), 100, "How much of it there is in a period."),
  quotaPeriod: define("quotaPeriod", choice("daily", "weekly", "monthly"), "daily", "How long its period is."),
  log: define("log", choice("auto", "json", "pretty"), "auto", "Form of the log; auto is pretty on a terminal."),
  logLevel: define("logLevel", choice("error", "warn", "info"), "info", "How much the log says."),
  url: define("url", url("http:", "https:"), defaultUrl, "Server that client commands talk to.", maskUrl),
  token: define("token", optional(text("<token>")), null, "Access token of client commands.", maskAll),
} as const;

/** The name of a setting in a file. */
export type SettingName = keyof typeof settings;

/** All settings, in the order of the table. */
export const allSettings: readonly Setting<unknown>[] = Object.values(settings);

/** `rateLimits` as `--rate-limits`. */
export const flagOf = (name: string): string => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** `rateLimits` as `TELEX_RATE_LIMITS`. */
export const variableOf = (name: string): string =>
  `TELEX_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
