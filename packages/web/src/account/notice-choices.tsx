import type { Signal } from "@preact/signals";
import { useAccount } from "../app/account.ts";
import { useApp } from "../app/context.ts";
import { offlineMinutes, subscribe } from "../app/subscription.ts";
import { Check } from "../ui/forms/check.tsx";
import { ErrorText } from "../ui/forms/error-text.tsx";
import { useTask } from "../ui/forms/use-task.ts";
import { Section } from "../ui/panes/sections.tsx";
import { useOtherTexts } from "./texts/others.ts";

/** Chooses the content of notifications in this browser, and which events of devices cause them. */
export function NoticeChoices() {
  const { accounts } = useAccount();
  const { preferences } = useApp();
  const texts = useOtherTexts();
  const task = useTask();
  const isOn = preferences.notices.value === "on";
  const check = (choice: Signal<"off" | "on">, words: string) => {
    const choose = (checked: boolean): void => {
      choice.value = checked ? "on" : "off";
      if (isOn) task.run(() => subscribe(accounts, preferences));
    };
    return (
      <Check checked={choice.value === "on"} disabled={task.busy} onChecked={choose}>
        {words}
      </Check>
    );
  };
  return (
    <Section title={texts.notices}>
      <p>{texts.noticesLead}</p>
      {!isOn && <p class="hint">{texts.noticesOff}</p>}
      {check(preferences.noticeText, texts.noticeText)}
      {check(preferences.noticeDevices, texts.noticeDevices)}
      {check(preferences.noticeOffline, texts.noticeOffline(offlineMinutes))}
      <ErrorText text={task.error} />
    </Section>
  );
}
