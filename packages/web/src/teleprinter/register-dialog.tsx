import { useState } from "preact/hooks";
import { useAccount, useApp, useTexts } from "../context.ts";
import { devicePath } from "../route.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { FormActions } from "../ui/form-actions.tsx";
import { useTask } from "./use-task.ts";

/** Registers a device by its ID. */
export function RegisterDialog({ onClose }: { readonly onClose: () => void }) {
  const { devices } = useAccount().teleprinter;
  const { notices, router } = useApp();
  const texts = useTexts();
  const task = useTask();
  const [deviceId, setDeviceId] = useState("");
  const [name, setName] = useState("");
  const submit = (event: Event): void => {
    event.preventDefault();
    task.run(async () => {
      await devices.register(deviceId, name);
      notices.say(texts.registered(name));
      router.go(devicePath(deviceId), "replace");
    });
  };
  return (
    <Dialog title={texts.register} onClose={onClose}>
      <p>{texts.registerLead}</p>
      <form onSubmit={submit}>
        <Field
          label={texts.deviceId}
          hint={texts.deviceIdHint}
          value={deviceId}
          onValue={setDeviceId}
          first
          input={{ pattern: "[A-Za-z0-9_\\-]{1,64}", autocomplete: "off", autocapitalize: "none", spellcheck: false }}
          error={task.problem && texts.problem[task.problem]}
        />
        <Field
          label={texts.deviceName}
          value={name}
          onValue={setName}
          input={{ maxlength: 128, autocomplete: "off" }}
        />
        <FormActions submit={texts.register} busy={task.busy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
