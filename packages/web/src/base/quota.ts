import type { QuotaView } from "@telex/core";

/** The used part of a quota, in its unit. */
export const usedOf = ({ allocationUnit, messageCount, tokenCount }: QuotaView): number =>
  allocationUnit === "count" ? messageCount : tokenCount;
