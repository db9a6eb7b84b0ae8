import { useApp } from "../app/context.ts";
import { IconButton } from "../ui/forms/icon-button.tsx";
import { useRoomTexts } from "./content/texts.ts";

/** Asks the browser, where it was not asked before. */
const ask = async (): Promise<boolean> => (await Notification.requestPermission()) === "granted";

/** Turns on notifications of the browser for messages that arrive while the page is hidden. */
export function NotifyButton() {
  const { preferences, notices } = useApp();
  const texts = useRoomTexts();
  if (!("Notification" in globalThis)) return null;
  const isOn = preferences.notices.value === "on" && Notification.permission === "granted";
  const toggle = async (): Promise<void> => {
    const isWanted = !isOn;
    const isAllowed = !isWanted || (await ask());
    preferences.notices.value = isWanted && isAllowed ? "on" : "off";
    notices.say(isAllowed ? (isWanted ? texts.notifyOn : texts.notifyOff) : texts.notifyDenied);
  };
  const shape = isOn ? "bell" : "bellOff";
  return <IconButton shape={shape} label={texts.notify} aria-pressed={isOn} onClick={() => void toggle()} />;
}
