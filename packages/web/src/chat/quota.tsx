import { useApp, useFormat } from "../context.ts";
import { isUsedUp } from "./chat.ts";
import { useChat } from "./context.ts";
import { useChatTexts } from "./texts.ts";

/** What is left of the quota, and when it is renewed. */
export function Quota() {
  const { chat } = useChat();
  const { preferences } = useApp();
  const format = useFormat();
  const texts = useChatTexts();
  const quota = chat.quota.value;
  if (quota === null) return null;
  const { allocationUnit, allocationMax, allocationPeriod, messageCount, tokenCount, nextReset } = quota;
  const used = allocationUnit === "count" ? messageCount : tokenCount;
  const language = preferences.spoken.value;
  const number = new Intl.NumberFormat(language);
  const moment = new Intl.DateTimeFormat(language, {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const left = number.format(Math.max(0, allocationMax - used));
  const words = texts.left(left, number.format(allocationMax), allocationUnit, allocationPeriod);
  return (
    <div class={isUsedUp(quota) ? "quota used-up" : "quota"}>
      <p>{isUsedUp(quota) ? texts.usedUp : words}</p>
      <progress aria-label={words} max={Math.max(1, allocationMax)} value={Math.min(used, allocationMax)} />
      <p class="hint">
        {texts.nextReset}{" "}
        <time dateTime={new Date(nextReset).toISOString()} title={format.full(nextReset)}>
          {moment.format(nextReset)}
        </time>
      </p>
    </div>
  );
}
