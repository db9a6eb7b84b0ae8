import type { Config } from "../settings/load.ts";

/** The result of a check. */
export interface Finding {
  readonly status: "ok" | "warn" | "fail";
  readonly detail: string;
  /** Advice for the operator. */
  readonly hint?: string;
}

/** A check of `telex doctor`. One that throws has failed. */
export type Check = (config: Config) => Promise<Finding>;

export const ok = (detail: string): Finding => ({ status: "ok", detail });

/** Something can be improved. `hint` says how. */
export const warn = (detail: string, hint: string): Finding => ({ status: "warn", detail, hint });

/** Something is wrong. `hint` says how to repair it. */
export const fail = (detail: string, hint: string): Finding => ({ status: "fail", detail, hint });
