import { z } from "zod";
import { id, idOut, defineContract } from "@telex/ground/contract";
import { allocationPeriod, allocationUnit, quota } from "../contract.ts";

const allocation = z.object({
  userId: idOut,
  unit: allocationUnit,
  max: z.int().min(0),
  period: allocationPeriod,
});

/** Operations of the operator on quotas. */
export const quotaContract = defineContract({
  assign: {
    summary: "Sets the quota of a user. Use in the current period still counts.",
    access: "operator",
    input: z.object({
      userId: id,
      unit: allocationUnit,
      max: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
      period: allocationPeriod,
    }),
    output: allocation,
    errors: ["user_not_found"],
    event: "quota.changed",
  },
  show: {
    summary: "A user's quota in the current period.",
    access: "operator",
    input: z.object({ userId: id }),
    output: quota,
    errors: ["user_not_found"],
  },
  history: {
    summary: "The use of a user on each of the last days, oldest first. Days without use are left out.",
    access: "operator",
    input: z.object({ userId: id, days: z.int().min(1).max(3660).default(30) }),
    output: z.array(z.object({ day: z.iso.date(), replies: z.int().min(0), tokens: z.int().min(0) })),
    errors: ["user_not_found"],
  },
});

export interface QuotaContract extends Readonly<typeof quotaContract> {}
