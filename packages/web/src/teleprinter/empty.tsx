import { useApp, useTexts } from "../app/context.ts";
import { Command } from "../ui/forms/command.tsx";

/** The command that simulates a device on this server. It does not contain the token. */
const simulateCommand = (origin: string, deviceId?: string): string =>
  `telex device simulate --url ${origin} --token "$TOKEN"${deviceId === undefined ? "" : ` --id ${deviceId}`} --echo`;

/** Shown if the person has no devices. */
export function NoDevices() {
  const { origin } = useApp();
  const texts = useTexts();
  return (
    <div class="no-devices">
      <h3>{texts.noDevices}</h3>
      <p>{texts.noDevicesLead}</p>
      <p>{texts.simulateLead}</p>
      <Command>{simulateCommand(origin)}</Command>
    </div>
  );
}

export function FreshRoll({ name, deviceId }: { readonly name: string; readonly deviceId: string }) {
  const { origin } = useApp();
  const texts = useTexts();
  return (
    <div class="sheet paper fresh">
      <h3>{texts.nothingPrinted}</h3>
      <p>{texts.nothingPrintedLead(name)}</p>
      <p>{texts.simulateLead}</p>
      <Command>{simulateCommand(origin, deviceId)}</Command>
    </div>
  );
}
