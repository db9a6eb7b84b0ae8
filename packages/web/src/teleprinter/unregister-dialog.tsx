import type { DeviceView } from "@telex/core";
import { useAccount, useApp, useTexts } from "../context.ts";
import { home } from "../route.ts";
import { DangerDialog } from "../ui/danger-dialog.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { useTask } from "./use-task.ts";

/** Gives a device up, after a second thought. */
export function UnregisterDialog({ device, onClose }: { readonly device: DeviceView; readonly onClose: () => void }) {
  const { devices, drafts, outbox } = useAccount().teleprinter;
  const { notices, router } = useApp();
  const texts = useTexts();
  const task = useTask();
  const unregister = async (): Promise<void> => {
    await devices.unregister(device.deviceId);
    drafts.of(device.deviceId).value = "";
    for (const { to, nonce } of outbox.texts.value) if (to === device.deviceId) outbox.discard(nonce);
    notices.say(texts.unregistered(device.name));
    router.go(home, "replace");
  };
  return (
    <DangerDialog
      title={texts.unregisterQuestion(device.name)}
      confirm={texts.unregister}
      busy={task.busy}
      onConfirm={() => task.run(unregister)}
      onClose={onClose}
    >
      <p>{texts.unregisterWarning(device.deviceId)}</p>
      <ErrorText text={task.problem && texts.problem[task.problem]} />
    </DangerDialog>
  );
}
