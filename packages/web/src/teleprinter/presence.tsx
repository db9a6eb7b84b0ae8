import type { DeviceView } from "@telex/core";
import { useTexts } from "../context.ts";
import { Ago } from "../ui/when.tsx";

/** Whether a device is there now, and when it last was. */
export function Presence({ device }: { readonly device: DeviceView }) {
  const texts = useTexts();
  return (
    <span class={device.online ? "presence on" : "presence"}>
      {device.online ? texts.online : <Ago at={Date.parse(device.lastSeen)} />}
    </span>
  );
}
