import type { DeviceView } from "@telex/core";
import { useState } from "preact/hooks";
import { useAccount, useApp, useTexts } from "../context.ts";
import { Field, type FieldProps } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { useTask } from "./use-task.ts";

const nameInput: FieldProps["input"] = { maxlength: 128, autocomplete: "off" };

/** Gives a device another name. */
export function RenameDialog({ device, onClose }: { readonly device: DeviceView; readonly onClose: () => void }) {
  const { devices } = useAccount().teleprinter;
  const { notices } = useApp();
  const texts = useTexts();
  const task = useTask();
  const [name, setName] = useState(device.name);
  const rename = async (): Promise<void> => {
    await devices.rename(device.deviceId, name);
    notices.say(texts.renamed(name));
    onClose();
  };
  const form = { title: texts.rename, submit: texts.save, busy: task.busy, onSubmit: () => task.run(rename), onClose };
  const words = { label: texts.deviceName, error: task.problem && texts.problem[task.problem] };
  return (
    <FormDialog {...form}>
      <Field {...words} value={name} onValue={setName} first input={nameInput} />
    </FormDialog>
  );
}
