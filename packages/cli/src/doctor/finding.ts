import type { Config } from "../settings/load.ts";

/** What a check has found. */
export interface Finding {
  readonly status: "ok" | "warn" | "fail";
  readonly detail: string;
  /** What to do about it. */
  readonly hint?: string;
}

/** A check of `telex doctor`. One that throws has failed. */
export type Check = (config: Config) => Promise<Finding>;

/** Nothing is wrong. */
export const ok = (detail: string): Finding => ({ status: "ok", detail });

/** Something can be better, and what to do about it. */
export const warn = (detail: string, hint: string): Finding => ({ status: "warn", detail, hint });

/** Something is wrong, and what to do about it. */
export const fail = (detail: string, hint: string): Finding => ({ status: "fail", detail, hint });
