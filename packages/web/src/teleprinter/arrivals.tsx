import { useTeleprinter } from "./state/context.ts";
import { useTexts } from "../app/context.ts";
import { Announce } from "../ui/panes/announce.tsx";

export function Arrivals() {
  const { arrived, devices } = useTeleprinter();
  const texts = useTexts();
  return (
    <Announce
      arrived={arrived}
      words={({ deviceId, content }, cut) => texts.arrivedText(devices.find(deviceId)?.name ?? deviceId, cut(content))}
      several={texts.arrived}
    />
  );
}
