import { useState } from "preact/hooks";
import { useTeleprinter } from "../state/context.ts";
import { useApp, useTexts } from "../../app/context.ts";
import { devicePath } from "../../app/route.ts";
import { Field, type FieldProps } from "../../ui/forms/field.tsx";
import { FormDialog } from "../../ui/panes/form-dialog.tsx";
import { useTask } from "../../ui/forms/use-task.ts";

const idInput: FieldProps["input"] = {
  pattern: "[A-Za-z0-9_\\-]{1,64}",
  autocomplete: "off",
  autocapitalize: "none",
  spellcheck: false,
};
const nameInput: FieldProps["input"] = { maxlength: 128, autocomplete: "off" };

/** Registers a device, and opens its page. */
function useRegister(): (deviceId: string, name: string) => Promise<void> {
  const { devices } = useTeleprinter();
  const { notices, router } = useApp();
  const texts = useTexts();
  return async (deviceId, name) => {
    await devices.register(deviceId, name);
    notices.show(texts.registered(name));
    router.go(devicePath(deviceId), "replace");
  };
}

export function RegisterDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useTexts();
  const task = useTask();
  const [deviceId, setDeviceId] = useState("");
  const [name, setName] = useState("");
  const register = useRegister();
  const form = { title: texts.register, lead: texts.registerLead, submit: texts.register, busy: task.busy, onClose };
  const idField = { label: texts.deviceId, hint: texts.deviceIdHint, input: idInput, error: task.error };
  return (
    <FormDialog {...form} onSubmit={() => task.run(() => register(deviceId, name))}>
      <Field {...idField} value={deviceId} onValue={setDeviceId} first />
      <Field label={texts.deviceName} value={name} onValue={setName} input={nameInput} />
    </FormDialog>
  );
}
