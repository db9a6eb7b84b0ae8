import type { TelexError } from "./errors.ts";
import type { Issue } from "./issues.ts";
import { en } from "./en.ts";
import type { TextParams, Texts } from "./keys.ts";
import { zh } from "./zh.ts";

/** The languages of the catalogue, the default first. */
export const locales = ["zh-CN", "en"] as const;

/** One language of the catalogue. */
export type Locale = (typeof locales)[number];

const catalogue: Readonly<Record<Locale, Texts>> = { "zh-CN": zh, en };

const fill = (text: string, params: TextParams): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(params[name] ?? placeholder));

/** The text of an error for a person, in the given language. Never contains a token or an internal message. */
export function describeError(error: TelexError, locale: Locale): string {
  const texts = catalogue[locale];
  const text = error.reason === undefined ? texts.errors[error.code] : texts.reasons[error.reason];
  return fill(text, { retryAfter: error.retryAfter ?? 0, incident: error.incident ?? "", ...error.params });
}

/** Describes the problem of one field in the given language. */
export function describeIssue(issue: Issue, locale: Locale): string {
  return fill(catalogue[locale].problems[issue.problem], issue.params);
}

/** Maximum wrong fields in one line, because an input may have very many. */
const shownIssues = 3;

/** The text of an error in one line. If fields are wrong, it describes the first three. */
export function describeInLine(error: TelexError, locale: Locale): string {
  const issues = error.issues ?? [];
  if (error.reason !== undefined || issues.length === 0) return describeError(error, locale);
  return issues
    .slice(0, shownIssues)
    .map((issue) => `${issue.path} ${describeIssue(issue, locale)}`.trim())
    .join("; ");
}

interface LanguageSources {
  /** The value of `?lang=`; null without one. */
  readonly lang: string | null;
  /** The header `Accept-Language`. */
  readonly header: string | null | undefined;
}

/** The language of a request: `?lang=`, then `Accept-Language`, then the fallback. */
export const localeOf = ({ lang, header }: LanguageSources, fallback: Locale): Locale =>
  chooseLocale(lang, chooseLocale(header, fallback));

/**
 * The language that an `Accept-Language` value asks for, or the fallback if it names no language of Telex.
 * `zh-TW` and other regions count as Chinese: one Chinese text is closer than English.
 */
export function chooseLocale(acceptLanguage: string | null | undefined, fallback: Locale): Locale {
  const wanted = (acceptLanguage ?? "")
    .split(",", 32)
    .map((part, order) => {
      const [tag = "", ...params] = part.trim().toLowerCase().split(";");
      const q = params.map((param) => /^\s*q=([\d.]+)\s*$/.exec(param)?.[1]).find((value) => value !== undefined);
      return { language: tag.split("-")[0], weight: q === undefined ? 1 : Number(q), order };
    })
    .filter(({ language, weight }) => weight > 0 && (language === "zh" || language === "en"))
    .toSorted((a, b) => b.weight - a.weight || a.order - b.order)[0];
  if (wanted === undefined) return fallback;
  return wanted.language === "en" ? "en" : "zh-CN";
}
