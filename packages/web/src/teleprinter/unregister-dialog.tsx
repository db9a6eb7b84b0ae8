import type { DeviceView } from "@telex/core";
import { useAccount, useApp, useTexts } from "../context.ts";
import { home } from "../route.ts";
import { Dialog } from "../ui/dialog.tsx";
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
    for (const { deviceId, nonce } of outbox.texts.value) if (deviceId === device.deviceId) outbox.discard(nonce);
    notices.say(texts.unregistered(device.name));
    router.go(home, "replace");
  };
  return (
    <Dialog title={texts.unregisterQuestion(device.name)} onClose={onClose}>
      <p>{texts.unregisterWarning(device.deviceId)}</p>
      {task.problem && (
        <p class="error" role="alert">
          {texts.problem[task.problem]}
        </p>
      )}
      <div class="actions">
        <button type="button" class="danger" disabled={task.busy} onClick={() => task.run(unregister)}>
          {texts.unregister}
        </button>
        <button type="button" onClick={onClose} autofocus>
          {texts.cancel}
        </button>
      </div>
    </Dialog>
  );
}
