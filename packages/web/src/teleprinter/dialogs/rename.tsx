import type { DeviceView } from "@telex/core";
import { useState } from "preact/hooks";
import { useTeleprinter } from "../state/context.ts";
import { useApp, useTexts } from "../../app/context.ts";
import { Field, type FieldProps } from "../../ui/forms/field.tsx";
import { FormDialog } from "../../ui/panes/form-dialog.tsx";
import { useTask } from "../../ui/forms/use-task.ts";

const nameInput: FieldProps["input"] = { maxlength: 128, autocomplete: "off" };

/** Renames a device, and shows a notice. */
function useRename({ deviceId }: DeviceView): (name: string) => Promise<void> {
  const { devices } = useTeleprinter();
  const { notices } = useApp();
  const texts = useTexts();
  return async (name) => {
    await devices.rename(deviceId, name);
    notices.show(texts.renamed(name));
  };
}

export function RenameDialog({ device, onClose }: { readonly device: DeviceView; readonly onClose: () => void }) {
  const texts = useTexts();
  const task = useTask();
  const [name, setName] = useState(device.name);
  const rename = useRename(device);
  const form = {
    title: texts.rename,
    submit: texts.save,
    busy: task.busy,
    onSubmit: () => task.run(() => rename(name).then(onClose)),
    onClose,
  };
  const words = { label: texts.deviceName, error: task.error };
  return (
    <FormDialog {...form}>
      <Field {...words} value={name} onValue={setName} first input={nameInput} />
    </FormDialog>
  );
}
