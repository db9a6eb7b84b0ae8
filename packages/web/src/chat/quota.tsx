import type { QuotaView } from "@telex/core";
import { useApp, useFormat } from "../context.ts";
import { isUsedUp } from "./chat.ts";
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

/** When the quota is renewed. */
function NextReset({ at }: { readonly at: number }) {
  const { preferences } = useApp();
  const format = useFormat();
  const texts = useChatTexts();
  const moment = new Intl.DateTimeFormat(preferences.spoken.value, momentParts);
  return (
    <p class="hint">
      {texts.nextReset}{" "}
      <time dateTime={new Date(at).toISOString()} title={format.full(at)}>
        {moment.format(at)}
      </time>
    </p>
  );
}

function Left({ quota }: { readonly quota: QuotaView }) {
  const { preferences } = useApp();
  const texts = useChatTexts();
  const { allocationUnit, allocationMax, allocationPeriod, messageCount, tokenCount } = quota;
  const used = allocationUnit === "count" ? messageCount : tokenCount;
  const number = new Intl.NumberFormat(preferences.spoken.value);
  const left = number.format(Math.max(0, allocationMax - used));
  const words = texts.left(left, number.format(allocationMax), allocationUnit, allocationPeriod);
  return (
    <>
      <p>{isUsedUp(quota) ? texts.usedUp : words}</p>
      <progress aria-label={words} max={Math.max(1, allocationMax)} value={Math.min(used, allocationMax)} />
    </>
  );
}

/** What is left of the quota, and when it is renewed. */
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
