/** A value in a configuration file, the environment or a flag. */
export type Given = string | number | boolean | readonly string[];

/** A kind of value: how to read and write it, and how to describe it in errors. */
export interface Kind<T> {
  /** Ends the sentence "… must be". */
  readonly expected: string;
  /** Stands for the value in a help text. */
  readonly placeholder: string;
  /** The valid words, if there is a fixed list. */
  readonly choices?: readonly string[];
  /** The value, or undefined if it is not of this kind. */
  parse(given: Given): T | undefined;
  /** The value as a person would write it. */
  show(value: T): string;
}

/** A kind whose value may be absent. An empty text means that it is. */
export const optional = <T>(kind: Kind<T>): Kind<T | null> => ({
  ...kind,
  parse: (given) => (given === "" ? null : kind.parse(given)),
  show: (value) => (value === null ? "" : kind.show(value)),
});

const textOf = (given: Given): string | undefined => (typeof given === "string" ? given : undefined);

const wholeNumber = (given: Given): number | undefined => {
  if (typeof given === "number") return Number.isSafeInteger(given) ? given : undefined;
  if (typeof given !== "string" || !/^(0|[1-9]\d{0,15})$/.test(given)) return undefined;
  const value = Number(given);
  return Number.isSafeInteger(value) ? value : undefined;
};

/** Any text that is not empty. */
export const text = (placeholder: string): Kind<string> => ({
  expected: "a text that is not empty",
  placeholder,
  parse: (given) => textOf(given) || undefined,
  show: (value) => value,
});

/** An access token or a key, in characters that a header of HTTP can have. */
export const secret = (placeholder: string): Kind<string> => ({
  expected: "letters, digits and punctuation of ASCII, without spaces",
  placeholder,
  parse(given) {
    const written = textOf(given) ?? "";
    return /^[!-~]+$/.test(written) ? written : undefined;
  },
  show: (value) => value,
});

/** A local folder. An address is rejected, because it would become the name of a folder. */
export const folder: Kind<string> = {
  expected: "a folder, not an address",
  placeholder: "<folder>",
  parse(given) {
    const path = textOf(given) ?? "";
    return path === "" || isAddress(path) ? undefined : path;
  },
  show: (value) => value,
};

/** True for an address. A drive letter of Windows has only one letter before the colon. */
const isAddress = (place: string): boolean => /^[a-z][a-z\d+.-]+:/i.test(place);

/** The place of records. The part after the scheme is checked when the storage is opened. */
export const storagePlace: Kind<string> = {
  expected: "memory: or sqlite:<file> or mongodb://<host>/<database> or mongodb+srv://<host>/<database>",
  placeholder: "<url>",
  parse(given) {
    const place = textOf(given) ?? "";
    return /^(memory|sqlite|mongodb(\+srv)?):/.test(place) ? place : undefined;
  },
  show: (value) => value,
};

/** A bucket: the endpoint, the bucket, the prefix and the region. */
export const bucketPlace = /^s3:(https?:\/\/[^/?#@\s]+)\/([^/?#@\s]+)(?:\/([^?#\s]*))?(?:\?region=([\w-]+))?$/;

/** A driver of unstorage, with its options as a query. */
export const unstoragePlace = /^unstorage:([a-z][a-z\d-]*)(?:\?([^?#\s]+))?$/;

/** A folder, a bucket, or a driver of unstorage. */
export const blobPlace: Kind<string> = {
  expected:
    "a folder, a bucket such as s3:https://s3.example.org/bucket, or a driver such as unstorage:redis?url=redis://127.0.0.1",
  placeholder: "<folder>",
  parse(given) {
    const place = textOf(given) ?? "";
    return bucketPlace.test(place) || unstoragePlace.test(place) ? place : folder.parse(place);
  },
  show: (value) => value,
};

/** A name that needs no quoting anywhere. */
export const plainName: Kind<string> = {
  expected: "1 to 64 letters, digits, - or _",
  placeholder: "<name>",
  parse(given) {
    const written = textOf(given) ?? "";
    return /^[\w-]{1,64}$/.test(written) ? written : undefined;
  },
  show: (value) => value,
};

/** A whole number from `min` to `max`. */
export const integer = (min: number, max = Number.MAX_SAFE_INTEGER): Kind<number> => ({
  expected:
    max === Number.MAX_SAFE_INTEGER ? `a whole number, at least ${min}` : `a whole number from ${min} to ${max}`,
  placeholder: "<n>",
  parse(given) {
    const value = wholeNumber(given);
    return value !== undefined && value >= min && value <= max ? value : undefined;
  },
  show: String,
});

/** One of a few words. */
export const choice = <const W extends string>(...words: readonly [W, ...W[]]): Kind<W> => ({
  expected: words.length === 2 ? words.join(" or ") : `one of ${words.join(", ")}`,
  placeholder: "<word>",
  choices: words,
  parse: (given) => words.find((word) => word === given),
  show: (value) => value,
});

/** `on` or `off`. A file may contain true or false. */
export const toggle: Kind<boolean> = {
  expected: "on or off",
  placeholder: "<word>",
  choices: ["on", "off"],
  parse(given) {
    if (typeof given === "boolean") return given;
    return given === "on" ? true : given === "off" ? false : undefined;
  },
  show: (value) => (value ? "on" : "off"),
};

/** The number of proxies in front of the server. `off` is 0, `on` is 1. */
export const proxies: Kind<number> = {
  expected: "off, on, or a whole number from 0 to 16",
  placeholder: "<off|on|n>",
  parse(given) {
    const switched = toggle.parse(given);
    return switched === undefined ? integer(0, 16).parse(given) : Number(switched);
  },
  show: (value) => (value === 0 ? "off" : String(value)),
};

const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
] as const;

/** A length of time such as `30s`, `15m`, `24h`, `90d`; the value is in milliseconds, at most 100 years. */
export const duration: Kind<number> = {
  expected: "a length of time such as 30s, 15m, 24h or 90d",
  placeholder: "<time>",
  parse(given) {
    const [, digits = "", unit = ""] = /^([1-9]\d{0,10})([smhd])$/.exec(textOf(given) ?? "") ?? [];
    const size = units.find(([name]) => name === unit)?.[1];
    const value = size === undefined ? Number.NaN : Number(digits) * size;
    return value <= 36_525 * 86_400_000 ? value : undefined;
  },
  show(value) {
    const [name, size] = units.find(([, length]) => value % length === 0) ?? ["ms", 1];
    return `${value / size}${name}`;
  },
};

const byteUnits = [
  ["GiB", 2 ** 30],
  ["MiB", 2 ** 20],
  ["KiB", 2 ** 10],
] as const;

/** A number of bytes such as `512MiB`, `1GiB`, or `0`. */
export const size: Kind<number> = {
  expected: "a number of bytes such as 512MiB, 1GiB or 0",
  placeholder: "<size>",
  parse(given) {
    const [, digits = "", unit] = /^(0|[1-9]\d{0,15})([KMG]iB)?$/.exec(String(given)) ?? [];
    const value = digits === "" ? Number.NaN : Number(digits) * (byteUnits.find(([name]) => name === unit)?.[1] ?? 1);
    return Number.isSafeInteger(value) ? value : undefined;
  },
  show(value) {
    const [name, unit] = byteUnits.find(([, bytes]) => value > 0 && value % bytes === 0) ?? ["", 1];
    return `${value / unit}${name}`;
  },
};

/** Without `node:net`, which would slow down the start of each command. */
const isIPv6 = (name: string): boolean =>
  /^[\dA-Fa-f:.]+(?:%[\w.-]+)?$/.test(name) && URL.canParse(`http://[${name.replace(/%.*/, "")}]`);

/** An IP address or a host name that a server listens on. */
export const host: Kind<string> = {
  expected: "an IP address or a host name, without a port",
  placeholder: "<address>",
  parse(given) {
    const name = textOf(given) ?? "";
    return isIPv6(name) || /^[A-Za-z0-9]([\w.-]*\w)?$/.test(name) ? name : undefined;
  },
  show: (value) => value,
};

/** An address with one of the given schemes, without the slash at its end, because paths are appended to it. */
export const url = (...schemes: readonly string[]): Kind<string> => ({
  expected: `an address that begins with ${schemes.map((scheme) => `${scheme}//`).join(" or ")}, without ? and #`,
  placeholder: "<url>",
  parse(given) {
    const address = URL.parse(textOf(given) ?? "");
    const fits = address !== null && schemes.includes(address.protocol) && !/[?#]/.test(address.href);
    return fits ? textOf(given)?.replace(/\/+$/, "") : undefined;
  },
  show: (value) => value,
});

/** The address of an image with the placeholder `{id}`, and optionally `{size}`. */
export const template: Kind<string> = {
  expected: "an http(s) address with {id} in it, such as https://avatars.example/{id}?s={size}",
  placeholder: "<template>",
  parse(given) {
    const written = textOf(given) ?? "";
    const address = URL.parse(written.replaceAll(/\{(id|size)\}/g, "1"));
    const fits = address !== null && /^https?:$/.test(address.protocol) && written.includes("{id}");
    return fits ? written : undefined;
  },
  show: (value) => value,
};

/** Words of one form, separated by commas. A file may contain an array. */
export const list = (what: string, form: RegExp): Kind<readonly string[]> => ({
  expected: `${what}, separated by commas`,
  placeholder: "<list>",
  parse(given) {
    if (given === "") return [];
    const words = typeof given === "string" ? given.split(",").map((word) => word.trim()) : given;
    return typeof words === "object" && words.every((word) => form.test(word)) ? words : undefined;
  },
  show: (value) => value.join(","),
});

/** An IANA time zone that this machine knows. */
export const timeZone: Kind<string> = {
  expected: "an IANA time zone such as UTC or Asia/Shanghai",
  placeholder: "<zone>",
  parse(given) {
    const zone = textOf(given);
    return zone !== undefined && isTimeZone(zone) ? zone : undefined;
  },
  show: (value) => value,
};

const originsAsWritten = list("origins such as https://app.example, or * alone", /^(\*|https?:\/\/[^\s*]+)$/);

/** Exact origins of pages, separated by commas, or only `*`. A file may contain an array. */
export const origins: Kind<readonly string[]> = {
  ...originsAsWritten,
  parse(given) {
    const words = originsAsWritten.parse(given);
    const isWhole = words?.every((word) => word === "*" || URL.parse(word)?.origin === word) ?? false;
    return isWhole && !(words?.includes("*") === true && words.length > 1) ? words : undefined;
  },
};

function isTimeZone(zone: string): boolean {
  try {
    // `Intl` accepts a fixed offset such as +08:00, which is not an IANA zone.
    return (
      /^[A-Za-z]/.test(zone) && new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== ""
    );
  } catch {
    return false;
  }
}
