import { TelexError } from "@telex/core";
import { describeError, describeIssue, type Locale } from "@telex/core/transport";
import { statusOf } from "@telex/http";

/** The problems of a form that was submitted. */
export interface Problems {
  readonly status: number;
  /** By the names of the lines. */
  readonly lines: Readonly<Partial<Record<string, string>>>;
  /** About the form as a whole. */
  readonly whole?: string;
}

/** A form before it is submitted. */
export const noProblems: Problems = { status: 200, lines: {} };

/** The line that an error is about. */
const lineOf: Readonly<Partial<Record<TelexError["code"], string>>> = {
  username_taken: "username",
  weak_password: "password",
};

/** Errors after which another attempt may succeed: their form is shown again. */
const passing: readonly TelexError["code"][] = ["invalid_token", "suspended", "rate_limited", "busy"];

/** True for an error about a passkey, after which the person can try again or sign in in another way. */
const isAboutPasskey = ({ reason }: TelexError): boolean => reason?.startsWith("passkey_") ?? false;

/** 401 would have to name a scheme of HTTP. */
export const pageStatus = ({ code }: TelexError): number => (statusOf[code] === 401 ? 403 : statusOf[code]);

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The problems that a person can solve in the form. Throws other errors again. */
export function problemsOf(error: unknown, locale: Locale): Problems {
  if (!TelexError.is(error)) throw error;
  const status = pageStatus(error);
  const line = lineOf[error.code];
  if (line !== undefined) return { status, lines: { [line]: describeError(error, locale) } };
  if (passing.includes(error.code) || isAboutPasskey(error))
    return { status, lines: {}, whole: describeError(error, locale) };
  const { issues = [] } = error;
  if (issues.length === 0) throw error;
  const lines: Record<string, string> = {};
  for (const issue of issues) lines[issue.path] ??= upper(describeIssue(issue, locale));
  return { status, lines };
}
