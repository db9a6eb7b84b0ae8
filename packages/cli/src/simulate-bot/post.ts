import { setTimeout as sleep } from "node:timers/promises";
import type { Frame, Implementation } from "@telex/bot-onebot/testing";
import type { Push } from "./push.ts";

/** Milliseconds before an event is posted again. */
const pause = 200;

/** Posts events in order. Events without a successful response are repeated. */
export function createPost(bot: Pick<Implementation, "post" | "dropRequests">): Push {
  const waiting: Frame[] = [];
  let isOnline = true;
  let isPosting = false;
  const next = (): Frame | undefined => (isOnline ? waiting[0] : undefined);
  const postAll = async (): Promise<void> => {
    for (let frame = next(); frame !== undefined; frame = next()) {
      const status = await bot.post(JSON.stringify(frame)).catch(() => 0);
      if (status >= 200 && status < 300) waiting.shift();
      // A server that is gone must not keep the process alive.
      else await sleep(pause, undefined, { ref: false });
    }
  };
  const begin = (): void => {
    if (isPosting) return;
    isPosting = true;
    void postAll().finally(() => (isPosting = false));
  };
  return {
    get isEmpty() {
      return waiting.length === 0;
    },
    use() {},
    add(frame) {
      waiting.push(frame);
      begin();
    },
    setOnline(online) {
      isOnline = online;
      begin();
    },
    drop: () => bot.dropRequests(),
    write: (text) => void bot.post(text).catch(() => undefined),
  };
}
