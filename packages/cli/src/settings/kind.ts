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
  parse(raw: Given): T | undefined;
  /** The value as a person would write it. */
  show(value: T): string;
}

/** A kind whose value may be absent. An empty text means that it is. */
export const optional = <T>(kind: Kind<T>): Kind<T | null> => ({
  ...kind,
  parse: (raw) => (raw === "" ? null : kind.parse(raw)),
  show: (value) => (value === null ? "" : kind.show(value)),
});

export const textOf = (raw: Given): string | undefined => (typeof raw === "string" ? raw : undefined);

const wholeNumber = (written: Given): number | undefined => {
  if (typeof written === "number") return Number.isSafeInteger(written) ? written : undefined;
  if (typeof written !== "string" || !/^(0|[1-9]\d{0,15})$/.test(written)) return undefined;
  const value = Number(written);
  return Number.isSafeInteger(value) ? value : undefined;
};

/** Any text that is not empty. */
export const text = (placeholder: string): Kind<string> => ({
  expected: "a text that is not empty",
  placeholder,
  parse: (raw) => textOf(raw) || undefined,
  show: (value) => value,
});

/** An access token or a key, in characters that a header of HTTP can have. */
export const secret = (placeholder: string): Kind<string> => ({
  expected: "letters, digits and punctuation of ASCII, without spaces",
  placeholder,
  parse(raw) {
    const written = textOf(raw) ?? "";
    return /^[!-~]+$/.test(written) ? written : undefined;
  },
  show: (value) => value,
});

/** A local folder. An address is rejected, because it would become the name of a folder. */
export const folder: Kind<string> = {
  expected: "a folder, not an address",
  placeholder: "<folder>",
  parse(raw) {
    const path = textOf(raw) ?? "";
    return path === "" || isAddress(path) ? undefined : path;
  },
  show: (value) => value,
};

/** True for an address. A drive letter of Windows has only one letter before the colon. */
const isAddress = (place: string): boolean => /^[a-z][a-z\d+.-]+:/i.test(place);

/** A name that needs no quoting anywhere. */
export const plainName: Kind<string> = {
  expected: "1 to 64 letters, digits, - or _",
  placeholder: "<name>",
  parse(raw) {
    const written = textOf(raw) ?? "";
    return /^[\w-]{1,64}$/.test(written) ? written : undefined;
  },
  show: (value) => value,
};

/** A whole number from `min` to `max`. */
export const integer = (min: number, max = Number.MAX_SAFE_INTEGER): Kind<number> => ({
  expected:
    max === Number.MAX_SAFE_INTEGER ? `a whole number, at least ${min}` : `a whole number from ${min} to ${max}`,
  placeholder: "<n>",
  parse(raw) {
    const value = wholeNumber(raw);
    return value !== undefined && value >= min && value <= max ? value : undefined;
  },
  show: String,
});

/** One of a few words. */
export const choice = <const W extends string>(...words: readonly [W, ...W[]]): Kind<W> => ({
  expected: words.length === 2 ? words.join(" or ") : `one of ${words.join(", ")}`,
  placeholder: "<word>",
  choices: words,
  parse: (raw) => words.find((word) => word === raw),
  show: (value) => value,
});

/** `on` or `off`. A file may contain true or false. */
export const toggle: Kind<boolean> = {
  expected: "on or off",
  placeholder: "<word>",
  choices: ["on", "off"],
  parse(raw) {
    if (typeof raw === "boolean") return raw;
    return raw === "on" ? true : raw === "off" ? false : undefined;
  },
  show: (value) => (value ? "on" : "off"),
};

/** Words of one form, separated by commas. A file may contain an array. */
export const list = (what: string, form: RegExp): Kind<readonly string[]> => ({
  expected: `${what}, separated by commas`,
  placeholder: "<list>",
  parse(raw) {
    if (raw === "") return [];
    const words = typeof raw === "string" ? raw.split(",").map((word) => word.trim()) : raw;
    return typeof words === "object" && words.every((word) => form.test(word)) ? words : undefined;
  },
  show: (value) => value.join(","),
});
