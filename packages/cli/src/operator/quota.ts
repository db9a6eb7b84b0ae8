import type { QuotaView } from "@telex/core";
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

const show = (quota: QuotaView): void =>
  printFields({
    quota: `${quota.allocationMax} ${quota.allocationUnit === "count" ? "replies" : "tokens"} ${quota.allocationPeriod}`,
    replies: quota.messageCount,
    tokens: quota.tokenCount,
    since: new Date(quota.lastReset).toISOString(),
    until: new Date(quota.nextReset).toISOString(),
  });

/** `telex quota show` */
export async function showQuota(command: Command, userId: string): Promise<void> {
  await operate(command, async (operations) => await operations.quota.show({ userId }), show);
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
