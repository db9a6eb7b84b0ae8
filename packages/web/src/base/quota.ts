import type { QuotaView } from "@telex/core";

/** How much of a quota is used, in its unit. */
export const usedOf = ({ allocationUnit, messageCount, tokenCount }: QuotaView): number =>
  allocationUnit === "count" ? messageCount : tokenCount;
