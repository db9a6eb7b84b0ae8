import type { Command } from "commander";
import { printFields, printTable } from "../output.ts";
import { operate } from "./operate.ts";

/** What `telex quota set` was asked for. */
export interface QuotaSet {
  readonly userId: string;
  readonly unit: "count" | "token";
  readonly max: number;
  readonly period: "daily" | "weekly" | "monthly";
}

/** `telex quota set` */
export async function setQuota(command: Command, quota: QuotaSet): Promise<void> {
  await operate(
    command,
    async (operations) => await operations.quota.assign(quota),
    (set) => printFields({ user: set.userId, unit: set.unit, max: set.max, period: set.period }),
  );
}

/** `telex quota show` */
export async function showQuota(command: Command, userId: string): Promise<void> {
  await operate(
    command,
    async (operations) => await operations.quota.show({ userId }),
    (quota) => {
      const { allocationUnit, allocationMax, allocationPeriod, messageCount, tokenCount, lastReset, nextReset } = quota;
      printFields({
        quota: `${allocationMax} ${allocationUnit === "count" ? "replies" : "tokens"} ${allocationPeriod}`,
        replies: messageCount,
        tokens: tokenCount,
        since: new Date(lastReset).toISOString(),
        until: new Date(nextReset).toISOString(),
      });
    },
  );
}

/** `telex quota show --history` */
export async function showUsage(command: Command, userId: string, days: number): Promise<void> {
  await operate(
    command,
    async (operations) => await operations.quota.history({ userId, days }),
    (usage) =>
      printTable(
        ["day", "replies", "tokens"],
        usage.map(({ day, replies, tokens }) => [day, replies, tokens]),
      ),
  );
}
