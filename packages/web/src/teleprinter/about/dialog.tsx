import type { DeviceView } from "@telex/core";
import { useState } from "preact/hooks";
import { useAccount } from "../../app/account.ts";
import { useApp, useFormat, useTexts } from "../../app/context.ts";
import { useLoaded } from "../../ui/actions/use-loaded.ts";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import { Field, type FieldProps } from "../../ui/forms/field.tsx";
import { submits } from "../../ui/forms/form.ts";
import { SubmitButton } from "../../ui/forms/submit-button.tsx";
import { useTask } from "../../ui/forms/use-task.ts";
import { Dialog } from "../../ui/panes/dialog.tsx";
import { useTeleprinter } from "../state/context.ts";
import { DayChart } from "./day-chart.tsx";
import { type Day, readDay } from "./day.ts";
import { canBeTags, tagsIn } from "./tags.ts";
import { useAboutTexts } from "./texts.ts";
import "./about.css";

interface AboutDialogProps {
  readonly device: DeviceView;
  readonly onClose: () => void;
}

/** The last 24 hours of a device. Null until they are loaded, with the error if that fails. */
function useDay(deviceId: string) {
  const { teleprinter } = useAccount().server;
  const { now } = useApp();
  const read = (): Promise<Day> => readDay(teleprinter.messages, { deviceId, now: now.peek() });
  const { value, error } = useLoaded(read, [teleprinter, deviceId]);
  return { day: value, error };
}

function Fault({ fault }: Pick<DeviceView, "fault">) {
  const format = useFormat();
  const texts = useAboutTexts();
  if (fault === undefined) return <dd>{texts.noFault}</dd>;
  return (
    <dd class="error">
      {fault.reason} {texts.since(format.date(Date.parse(fault.since)))}
    </dd>
  );
}

/** The queue of texts that the device has not received. */
function Queue({ deviceId, day }: { readonly deviceId: string; readonly day: Day }) {
  const { scheduled } = useTeleprinter();
  const texts = useAboutTexts();
  const later = scheduled.list.value.filter((text) => text.deviceId === deviceId).length;
  return (
    <dd>
      {texts.waiting(day.waiting, day.isComplete)}
      {later > 0 && texts.later(later)}
    </dd>
  );
}

/** The properties that the device reports, and its queue. */
function Facts({ device, day }: { readonly device: DeviceView; readonly day: Day | null }) {
  const shared = useTexts();
  const texts = useAboutTexts();
  const { deviceId, transport, program, can } = device;
  return (
    <dl class="facts">
      <dt>{shared.deviceId}</dt>
      <dd class="id">{deviceId}</dd>
      <dt>{texts.transport}</dt>
      <dd>{transport ?? texts.unsaid}</dd>
      <dt>{texts.program}</dt>
      <dd>{program ?? texts.unsaid}</dd>
      <dt>{texts.can}</dt>
      <dd>{can?.join(", ") ?? texts.unsaid}</dd>
      <dt>{texts.fault}</dt>
      <Fault fault={device.fault} />
      <dt>{texts.queue}</dt>
      {day === null ? <dd>…</dd> : <Queue deviceId={deviceId} day={day} />}
    </dl>
  );
}

const input: FieldProps["input"] = { autocomplete: "off", autocapitalize: "none", spellcheck: false, maxlength: 600 };

function Tags({ device, onClose }: AboutDialogProps) {
  const { devices } = useTeleprinter();
  const { save } = useTexts();
  const texts = useAboutTexts();
  const task = useTask();
  const [typed, setTyped] = useState((device.tags ?? []).join(" "));
  const tags = tagsIn(typed);
  const submit = (): void => task.run(() => devices.tag(device.deviceId, tags).then(onClose));
  const words = { label: texts.tags, hint: texts.tagsHint, error: task.error, optional: true };
  return (
    <form onSubmit={submits(submit)}>
      <Field {...words} value={typed} onValue={setTyped} input={input} />
      <div class="actions">
        <SubmitButton label={save} isReady={canBeTags(tags) && !task.busy} />
      </div>
    </form>
  );
}

/** Shows the properties of a device, with a chart of its last 24 hours. */
export function AboutDialog({ device, onClose }: AboutDialogProps) {
  const texts = useAboutTexts();
  const { day, error } = useDay(device.deviceId);
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <Facts device={device} day={day} />
      <h3>{texts.day}</h3>
      <ErrorText text={error} />
      {day !== null && <DayChart day={day} />}
      <Tags device={device} onClose={onClose} />
    </Dialog>
  );
}
