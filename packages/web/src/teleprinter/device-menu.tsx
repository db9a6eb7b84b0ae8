import type { DeviceView } from "@telex/core";
import { useState } from "preact/hooks";
import { useTexts } from "../context.ts";
import { Icon } from "../ui/icon.tsx";
import { RenameDialog } from "./rename-dialog.tsx";
import { UnregisterDialog } from "./unregister-dialog.tsx";

/** What else can be done with a device. */
export function DeviceMenu({ device }: { readonly device: DeviceView }) {
  const texts = useTexts();
  const [open, setOpen] = useState<"rename" | "unregister" | null>(null);
  const close = (): void => setOpen(null);
  return (
    <>
      <button type="button" class="plain" popovertarget="device-menu" aria-label={texts.deviceMenu(device.name)}>
        <Icon shape="more" />
      </button>
      <div id="device-menu" class="panel menu" popover="auto" role="group" aria-label={texts.deviceMenu(device.name)}>
        <button type="button" popovertarget="device-menu" popovertargetaction="hide" onClick={() => setOpen("rename")}>
          {texts.rename}
        </button>
        <button
          type="button"
          popovertarget="device-menu"
          popovertargetaction="hide"
          onClick={() => setOpen("unregister")}
        >
          {texts.unregister}
        </button>
      </div>
      {open === "rename" && <RenameDialog device={device} onClose={close} />}
      {open === "unregister" && <UnregisterDialog device={device} onClose={close} />}
    </>
  );
}
