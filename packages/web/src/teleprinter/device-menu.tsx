import type { DeviceView } from "@telex/core";
import { useState } from "preact/hooks";
import { useTexts } from "../app/context.ts";
import { Menu } from "../ui/lists/menu.tsx";
import { createLazy } from "../ui/panes/lazy.tsx";
import { RenameDialog } from "./dialogs/rename.tsx";
import { RoomDialog } from "./dialogs/room.tsx";
import { UnregisterDialog } from "./dialogs/unregister.tsx";

const AboutDialog = createLazy(async () => (await import("./about/dialog.tsx")).AboutDialog);

const dialogs = { about: AboutDialog, rename: RenameDialog, room: RoomDialog, unregister: UnregisterDialog };

export function DeviceMenu({ device }: { readonly device: DeviceView }) {
  const texts = useTexts();
  const [open, setOpen] = useState<keyof typeof dialogs | null>(null);
  const OpenDialog = open === null ? null : dialogs[open];
  const items = [
    { name: texts.aboutDevice, onChoose: () => setOpen("about") },
    { name: texts.rename, onChoose: () => setOpen("rename") },
    { name: texts.printRoom, onChoose: () => setOpen("room") },
    { name: texts.unregister, onChoose: () => setOpen("unregister") },
  ];
  return (
    <>
      <Menu id="device-menu" label={texts.deviceMenu(device.name)} items={items} />
      {OpenDialog !== null && <OpenDialog device={device} onClose={() => setOpen(null)} />}
    </>
  );
}
