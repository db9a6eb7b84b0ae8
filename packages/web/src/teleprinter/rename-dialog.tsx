import type { DeviceView } from "@telex/core";
import { useState } from "preact/hooks";
import { useAccount, useApp, useTexts } from "../context.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { FormActions } from "../ui/form-actions.tsx";
import { useTask } from "./use-task.ts";

/** Gives a device another name. */
export function RenameDialog({ device, onClose }: { readonly device: DeviceView; readonly onClose: () => void }) {
  const { devices } = useAccount().teleprinter;
  const { notices } = useApp();
  const texts = useTexts();
  const task = useTask();
  const [name, setName] = useState(device.name);
  const submit = (event: Event): void => {
    event.preventDefault();
    task.run(async () => {
      await devices.rename(device.deviceId, name);
      notices.say(texts.renamed(name));
      onClose();
    });
  };
  return (
    <Dialog title={texts.rename} onClose={onClose}>
      <form onSubmit={submit}>
        <Field
          label={texts.deviceName}
          value={name}
          onValue={setName}
          first
          input={{ maxlength: 128, autocomplete: "off" }}
          error={task.problem && texts.problem[task.problem]}
        />
        <FormActions submit={texts.save} busy={task.busy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
