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
