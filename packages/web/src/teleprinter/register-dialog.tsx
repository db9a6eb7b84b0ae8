import { useState } from "preact/hooks";
import { useAccount, useApp, useTexts } from "../context.ts";
import { devicePath } from "../route.ts";
import { Field, type FieldProps } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { useTask } from "./use-task.ts";

const idInput: FieldProps["input"] = {
  pattern: "[A-Za-z0-9_\\-]{1,64}",
  autocomplete: "off",
  autocapitalize: "none",
  spellcheck: false,
};
const nameInput: FieldProps["input"] = { maxlength: 128, autocomplete: "off" };

/** Registers a device by its ID. */
export function RegisterDialog({ onClose }: { readonly onClose: () => void }) {
  const { devices } = useAccount().teleprinter;
  const { notices, router } = useApp();
  const texts = useTexts();
  const task = useTask();
  const [deviceId, setDeviceId] = useState("");
  const [name, setName] = useState("");
  const register = async (): Promise<void> => {
    await devices.register(deviceId, name);
    notices.say(texts.registered(name));
    router.go(devicePath(deviceId), "replace");
  };
  return (
    <FormDialog
      title={texts.register}
      lead={texts.registerLead}
      submit={texts.register}
      busy={task.busy}
      onSubmit={() => task.run(register)}
      onClose={onClose}
    >
      <Field
        label={texts.deviceId}
        hint={texts.deviceIdHint}
        value={deviceId}
        onValue={setDeviceId}
        first
        input={idInput}
        error={task.problem && texts.problem[task.problem]}
      />
      <Field label={texts.deviceName} value={name} onValue={setName} input={nameInput} />
    </FormDialog>
  );
}
