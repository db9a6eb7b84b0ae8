import type { DeviceView } from "@telex/core";
import { useTeleprinter } from "../state/context.ts";
import { useApp, useTexts } from "../../app/context.ts";
import { home } from "../../app/route.ts";
import { DangerDialog } from "../../ui/panes/danger-dialog.tsx";
import { ErrorText } from "../../ui/forms/error-text.tsx";
import { useTask } from "../../ui/forms/use-task.ts";

/** Unregisters a device, and deletes its draft and unsent texts. */
function useUnregister({ deviceId, name }: DeviceView): () => Promise<void> {
  const { devices, drafts, outbox } = useTeleprinter();
  const { notices, router } = useApp();
  const texts = useTexts();
  return async () => {
    await devices.unregister(deviceId);
    drafts.of(deviceId).value = "";
    for (const { to, nonce } of outbox.texts.value) if (to === deviceId) outbox.discard(nonce);
    notices.show(texts.unregistered(name));
    router.go(home, "replace");
  };
}

/** Unregisters a device after a confirmation. */
export function UnregisterDialog({ device, onClose }: { readonly device: DeviceView; readonly onClose: () => void }) {
  const texts = useTexts();
  const task = useTask();
  const unregister = useUnregister(device);
  const form = { title: texts.unregisterQuestion(device.name), confirm: texts.unregister, busy: task.busy, onClose };
  return (
    <DangerDialog {...form} onConfirm={() => task.run(unregister)}>
      <p>{texts.unregisterWarning(device.deviceId)}</p>
      <ErrorText text={task.error} />
    </DangerDialog>
  );
}
