import { useApp, useTexts } from "../app/context.ts";
import { accountHome } from "../app/route.ts";
import { Command } from "../ui/forms/command.tsx";

/** The command that simulates a device on this server. It does not contain the token. */
const simulateCommand = (origin: string, deviceId?: string): string =>
  `telex device simulate --url ${origin} --token "$TOKEN"${deviceId === undefined ? "" : ` --id ${deviceId}`} --echo`;

/** Shows the command that simulates a device, and where its token comes from. */
function Simulate({ deviceId }: { readonly deviceId?: string }) {
  const { origin } = useApp();
  const texts = useTexts();
  return (
    <>
      <p>{texts.simulateLead}</p>
      <Command>{simulateCommand(origin, deviceId)}</Command>
      <p>
        {texts.simulateToken} <a href={accountHome}>{texts.accessTokens}</a>
      </p>
    </>
  );
}

/** Shown if the person has no devices. */
export function NoDevices() {
  const texts = useTexts();
  return (
    <div class="no-devices">
      <h3>{texts.noDevices}</h3>
      <p>{texts.noDevicesLead}</p>
      <Simulate />
    </div>
  );
}

export function FreshRoll({ name, deviceId }: { readonly name: string; readonly deviceId: string }) {
  const texts = useTexts();
  return (
    <div class="sheet paper fresh">
      <h3>{texts.nothingPrinted}</h3>
      <p>{texts.nothingPrintedLead(name)}</p>
      <Simulate deviceId={deviceId} />
    </div>
  );
}
