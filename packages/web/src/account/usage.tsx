import type { QuotaView } from "@telex/core";
import { useEffect, useState } from "preact/hooks";
import { useAccount } from "../app/account.ts";
import { useNumbers } from "../app/context.ts";
import { leftOf } from "../base/quota.ts";
import { QuotaBar } from "../ui/panes/quota-bar.tsx";
import { Section } from "../ui/panes/sections.tsx";
import { useAccountTexts } from "./texts/texts.ts";

function Left({ quota }: { readonly quota: QuotaView }) {
  const texts = useAccountTexts();
  const numbers = useNumbers();
  const { allocationMax } = quota;
  const left = leftOf(quota);
  const words = texts.quotaLeft(numbers.format(left), numbers.format(allocationMax));
  return (
    <p class="usage">
      <span>{words}</span>
      <QuotaBar part={left} max={allocationMax} words={words} />
    </p>
  );
}

/** Shows how much of the quota is left. Hidden if the person has no quota. */
export function Usage() {
  const { server } = useAccount();
  const texts = useAccountTexts();
  const [quota, setQuota] = useState<QuotaView | null>(null);
  useEffect(() => void server.ai.quota().then(setQuota, () => setQuota(null)), [server]);
  if (quota === null) return null;
  return (
    <Section title={texts.usage}>
      <Left quota={quota} />
    </Section>
  );
}
