import type { en } from "./en.ts";
import type { ErrorCode, ParamsOf, ReasonKey, TextParams } from "./keys.ts";
import type { Issue } from "./issues.ts";

/** 16 random hexadecimal digits. Uses the global `crypto`, so that programs that only draw pictures do not load `node:crypto`. */
const createIncident = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString("hex");

interface TelexErrorOptions {
  /** Selects a more specific text than that of the code. */
  readonly reason?: ReasonKey;
  /** Values for the placeholders of the text. Never a token, never an internal message. */
  readonly params?: TextParams;
  /** Which fields were wrong, and how. */
  readonly issues?: readonly Issue[];
  /** Seconds after which the caller may try again. */
  readonly retryAfter?: number;
  /** The original error. Only for the log, never shown. */
  readonly cause?: unknown;
}

type Rest = Omit<TelexErrorOptions, "reason" | "params">;

type OfCode<C extends ErrorCode> = C extends C
  ? { readonly reason?: never } & ParamsOf<(typeof en)["errors"][C]>
  : never;
type OfReason<R extends ReasonKey> = R extends R ? { readonly reason: R } & ParamsOf<(typeof en)["reasons"][R]> : never;

/** A code and the params of its text: an error without a value for `{max}` in its text does not compile. */
type Arguments =
  | {
      readonly [C in ErrorCode]:
        | [code: C, options: Rest & (OfCode<C> | OfReason<ReasonKey>)]
        | (object extends OfCode<C> ? [code: C] : never);
    }[ErrorCode]
  | [code: ErrorCode, options: TelexErrorOptions, mark: typeof atRunTime];

/** Marks the arguments of an error whose code is not known at compile time. */
const atRunTime = Symbol("at run time");

const brand = Symbol.for("telex.error");

/** The only error class of Telex. Anything else that is thrown is a bug in Telex and becomes `internal`. */
export class TelexError extends Error {
  override readonly name = "TelexError";
  readonly code: ErrorCode;
  readonly reason: ReasonKey | undefined;
  readonly params: TextParams;
  readonly issues: readonly Issue[] | undefined;
  readonly retryAfter: number | undefined;
  /** Set for `internal` errors: identifies the incident for the caller, and its cause in the log. */
  readonly incident: string | undefined;
  readonly [brand] = true;

  constructor(...[code, options = {}]: Arguments) {
    super(options.reason ?? code, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.reason = options.reason;
    this.params = options.params ?? {};
    this.issues = options.issues;
    this.retryAfter = options.retryAfter;
    this.incident = code === "internal" ? createIncident() : undefined;
  }

  /** An error whose code or reason is only known at run time. The caller must pass the params of its text. */
  static of(code: ErrorCode, options: TelexErrorOptions = {}): TelexError {
    return new TelexError(code, options, atRunTime);
  }

  /** True for an error of this class, even from another copy of the package. */
  static is(value: unknown): value is TelexError {
    return typeof value === "object" && value !== null && brand in value;
  }

  /** The error itself, or `internal` with the thrown value as its cause. */
  static from(value: unknown): TelexError {
    return TelexError.is(value) ? value : new TelexError("internal", { cause: value });
  }
}
