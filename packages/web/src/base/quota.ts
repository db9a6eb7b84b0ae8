import type { QuotaView } from "@telex/core";

/** The used part of a quota, in its unit. */
export const usedOf = ({ allocationUnit, messageCount, tokenCount }: QuotaView): number =>
  allocationUnit === "count" ? messageCount : tokenCount;

/** The part of a quota that is left, in its unit. */
export const leftOf = (quota: QuotaView): number => Math.max(0, quota.allocationMax - usedOf(quota));
