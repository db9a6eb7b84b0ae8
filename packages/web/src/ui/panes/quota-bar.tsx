import type { QuotaView } from "@telex/core";
import { usedOf } from "../../base/quota.ts";

/** How much of a quota is used, as a bar. */
export function QuotaBar({ quota, words }: { readonly quota: QuotaView; readonly words: string }) {
  const max = quota.allocationMax;
  return <progress aria-label={words} max={Math.max(1, max)} value={Math.min(usedOf(quota), max)} />;
}
