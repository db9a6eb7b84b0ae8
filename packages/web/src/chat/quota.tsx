import type { QuotaView } from "@telex/core";
import { useApp, useNumbers } from "../app/context.ts";
import { leftOf } from "../base/quota.ts";
import { QuotaBar } from "../ui/panes/quota-bar.tsx";
import { Moment } from "../ui/lists/when.tsx";
import { isUsedUp } from "./state/chat.ts";
import { useChat } from "./context.ts";
import { useChatTexts } from "./texts.ts";

const momentParts = {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
} as const;

/** The time of the next quota period. */
function NextReset({ at }: { readonly at: number }) {
  const { preferences } = useApp();
  const texts = useChatTexts();
  const moment = new Intl.DateTimeFormat(preferences.spoken.value, momentParts);
  return (
    <p class="hint">
      {texts.nextReset} <Moment at={at}>{moment.format(at)}</Moment>
    </p>
  );
}

function Left({ quota }: { readonly quota: QuotaView }) {
  const numbers = useNumbers();
  const texts = useChatTexts();
  const { allocationUnit, allocationMax, allocationPeriod } = quota;
  const left = leftOf(quota);
  const words = texts.left(numbers.format(left), numbers.format(allocationMax), allocationUnit, allocationPeriod);
  return (
    <>
      <p>{isUsedUp(quota) ? texts.usedUp : words}</p>
      <QuotaBar part={left} max={allocationMax} words={words} />
    </>
  );
}

/** The remaining quota, and the time of its renewal. */
export function Quota() {
  const quota = useChat().chat.quota.value;
  if (quota === null) return null;
  return (
    <div class={isUsedUp(quota) ? "quota used-up" : "quota"}>
      <Left quota={quota} />
      <NextReset at={quota.nextReset} />
    </div>
  );
}
