import type { QuotaView } from "@telex/core";
import { usedOf } from "../../base/quota.ts";

/** A bar that shows the used part of a quota. */
export function QuotaBar({ quota, words }: { readonly quota: QuotaView; readonly words: string }) {
  const max = quota.allocationMax;
  return <progress aria-label={words} max={Math.max(1, max)} value={Math.min(usedOf(quota), max)} />;
}
