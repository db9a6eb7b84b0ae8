import type { QuotaView } from "@telex/core";
import type { OperatorClient } from "@telex/http/client";
import type { Command } from "commander";
import { printFields, printRows } from "../terminal/output.ts";
import { operate } from "./operate.ts";

/** The quota that `telex quota set` sets. */
export interface QuotaSet {
  readonly userId: string;
  readonly unit: "count" | "token";
  readonly max: number;
  readonly period: "daily" | "weekly" | "monthly";
}

/** `telex quota set` */
export async function setQuota(command: Command, quota: QuotaSet): Promise<void> {
  await operate(command, async (operations) => await operations.quota.assign(quota), showSet);
}

type Assigned = Awaited<ReturnType<OperatorClient["quota"]["assign"]>>;

const showSet = ({ userId, unit, max, period }: Assigned): void => printFields({ user: userId, unit, max, period });

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
  await operate(command, async (operations) => await operations.quota.history({ userId, days }), showDays);
}

type UsedDays = Awaited<ReturnType<OperatorClient["quota"]["history"]>>;

const showDays = (days: UsedDays): void =>
  printRows(days, {
    day: ({ day }) => day,
    replies: ({ replies }) => replies,
    tokens: ({ tokens }) => tokens,
  });
