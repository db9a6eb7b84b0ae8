import { useEffect, useState } from "preact/hooks";
import { useAccount } from "../app/account.ts";
import { useApp, useTexts } from "../app/context.ts";
import { IconButton } from "../ui/forms/icon-button.tsx";
import { subscribe, unsubscribe } from "../app/subscription.ts";

type BellState = "on" | "off" | "denied";

/** Asks the browser for permission, unless it was asked before. */
const ask = async (): Promise<BellState> => ((await Notification.requestPermission()) === "granted" ? "on" : "denied");

/** The state of the bell. The browser's permission may have changed since the last choice. */
const stateOf = (wanted: "on" | "off"): BellState =>
  Notification.permission === "denied"
    ? "denied"
    : wanted === "on" && Notification.permission === "granted"
      ? "on"
      : "off";

/** Turns browser notifications on and off, for messages that arrive while the page is hidden. */
export function Bell() {
  const { preferences, notices } = useApp();
  const texts = useTexts();
  const [, draw] = useState(0);
  const account = useAccount();
  const wanted = preferences.notices.value;
  useEffect(() => {
    if (!("Notification" in globalThis) || stateOf(wanted) !== "on" || account.person.token !== null) return;
    // If this fails, there are notifications only while the page is open.
    subscribe(account.accounts, preferences).catch(() => undefined);
  }, [wanted, account, preferences]);
  if (!("Notification" in globalThis)) return null;
  const state = stateOf(preferences.notices.value);
  const toggle = async (): Promise<void> => {
    const next = state === "on" ? "off" : await ask();
    preferences.notices.value = next === "on" ? "on" : "off";
    if (next !== "on") unsubscribe(account.accounts).catch(() => undefined);
    notices.show(texts.bellNotices[next]);
    // The permission of the browser is not a signal, so draw again.
    draw((count) => count + 1);
  };
  const name = texts.bell[state];
  return (
    <IconButton
      look="plain bell"
      shape={state === "on" ? "bell" : "bellOff"}
      label={name}
      title={name}
      onClick={() => void toggle()}
    />
  );
}
