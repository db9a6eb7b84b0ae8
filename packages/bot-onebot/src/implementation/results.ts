import { TelexError } from "@telex/core";
import { describeInLine, type Locale } from "@telex/core/transport";
import type { z } from "zod";
import type { Version } from "../wire/dialect.ts";

/** The retcodes of each kind of failure, of OneBot 11 and 12. 14xx of OneBot 11 is the status of HTTP. */
const retcodes = {
  bad_request: [1400, 10_001],
  unsupported_action: [1404, 10_002],
  bad_param: [1400, 10_003],
  unsupported_segment: [1400, 10_005],
  bad_segment: [1400, 10_006],
  unknown_self: [1404, 10_102],
  internal: [1500, 20_002],
  storage: [1500, 31_001],
  file: [1200, 32_001],
  network: [1200, 33_001],
  missing: [1404, 35_001],
  refused: [1200, 35_002],
  forbidden: [1403, 35_003],
  too_fast: [1429, 36_001],
} as const satisfies Readonly<Record<string, readonly [number, number]>>;

type FailureKind = keyof typeof retcodes;

/** The reason why an action is not done. */
export class ActionError extends Error {
  readonly kind: FailureKind;

  /** @param message what was wrong, and what would be right: frameworks show it */
  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** @throws ActionError `forbidden` if the token of the framework has ended since the action began */
export function assertCurrent({ ended }: { readonly ended: AbortSignal }): void {
  if (ended.aborted) throw new ActionError("forbidden", "The token has ended: nothing was done.");
}

/** The outcome of an action. */
export type Result =
  | { readonly status: "ok" | "async"; readonly data: unknown }
  | { readonly status: "failed"; readonly retcode: number; readonly message: string };

/** A failure in the form of the version. */
export const failed = (version: Version, { kind, message }: ActionError): Result => ({
  status: "failed",
  retcode: retcodes[kind][version === 11 ? 0 : 1],
  message,
});

const kindOf: { readonly [Code in TelexError["code"]]?: FailureKind } = {
  invalid_request: "bad_param",
  not_found: "missing",
  group_not_found: "missing",
  user_not_found: "missing",
  invalid_token: "forbidden",
  insufficient_scope: "forbidden",
  file_not_found: "file",
  too_large: "file",
  file_conflict: "file",
  unreadable_image: "file",
  storage_full: "file",
  rate_limited: "too_fast",
  quota_exceeded: "too_fast",
  busy: "too_fast",
  storage_unavailable: "storage",
  shutting_down: "storage",
  internal: "internal",
};

/** A thrown value as the reason of a failure. */
export function toActionError(cause: unknown, locale: Locale): ActionError {
  if (cause instanceof ActionError) return cause;
  const error = TelexError.from(cause);
  return new ActionError(kindOf[error.code] ?? "refused", describeInLine(error, locale));
}

/**
 * Parameters as parsed by their schema.
 * @throws ActionError `bad_param` that names the first wrong one
 */
export function readParams<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new ActionError("bad_param", `${issue?.path.join(".") || "params"}: ${issue?.message ?? "wrong"}.`);
}

/** The frame with a result. `echo` is left out if the framework sent none. */
export function frameOf(version: Version, result: Result, echo: unknown): object {
  const isFailed = result.status === "failed";
  const text = isFailed ? result.message : "";
  return {
    status: result.status,
    retcode: isFailed ? result.retcode : result.status === "async" ? 1 : 0,
    data: isFailed ? null : result.data,
    message: text,
    ...(version === 11 && { wording: text }),
    ...(echo !== undefined && { echo }),
  };
}
