import type { DeviceView } from "@telex/core";
import { useState } from "preact/hooks";
import { useTexts } from "../context.ts";
import { Menu } from "../ui/menu.tsx";
import { RenameDialog } from "./rename-dialog.tsx";
import { RoomDialog } from "./room-dialog.tsx";
import { UnregisterDialog } from "./unregister-dialog.tsx";

/** What else can be done with a device. */
export function DeviceMenu({ device }: { readonly device: DeviceView }) {
  const texts = useTexts();
  const [open, setOpen] = useState<"rename" | "room" | "unregister" | null>(null);
  const close = (): void => setOpen(null);
  const items = [
    { name: texts.rename, onChoose: () => setOpen("rename") },
    { name: texts.printRoom, onChoose: () => setOpen("room") },
    { name: texts.unregister, onChoose: () => setOpen("unregister") },
  ];
  return (
    <>
      <Menu id="device-menu" label={texts.deviceMenu(device.name)} items={items} />
      {open === "rename" && <RenameDialog device={device} onClose={close} />}
      {open === "room" && <RoomDialog device={device} onClose={close} />}
      {open === "unregister" && <UnregisterDialog device={device} onClose={close} />}
    </>
  );
}
