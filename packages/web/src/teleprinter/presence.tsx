import type { DeviceView } from "@telex/core";
import { useAgo, useTexts } from "../app/context.ts";
import { Moment } from "../ui/lists/when.tsx";

function LastSeen({ at }: { readonly at: number }) {
  const ago = useAgo();
  const texts = useTexts();
  return <Moment at={at}>{texts.lastSeen(ago(at))}</Moment>;
}

/** Shows whether a device is online, or when it was last seen. */
export function Presence({ device }: { readonly device: DeviceView }) {
  const texts = useTexts();
  return (
    <span class={device.online ? "presence on" : "presence"}>
      {device.online ? texts.online : <LastSeen at={Date.parse(device.lastSeen)} />}
    </span>
  );
}
