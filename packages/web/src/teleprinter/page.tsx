import { useTeleprinter } from "./state/context.ts";
import { useApp, useTexts } from "../app/context.ts";
import { TwoPanes } from "../ui/panes/two-panes.tsx";
import { Tape } from "../ui/panes/tape.tsx";
import { Arrivals } from "./arrivals.tsx";
import { Conversation } from "./conversation.tsx";
import { DeviceList } from "./device-list.tsx";
import { PairDialog } from "./dialogs/pair.tsx";
import { RegisterDialog } from "./dialogs/register.tsx";

const dialogs = { pair: PairDialog, register: RegisterDialog };

/** The dialog that the address names. */
function OpenDialog() {
  const { router } = useApp();
  const { dialog } = router.route.value;
  const Dialog = dialog && dialogs[dialog];
  return Dialog && <Dialog onClose={() => router.go(location.pathname, "replace")} />;
}

/** Stands in the place of the paper while no device is chosen. */
function NoDevice() {
  const { devices } = useTeleprinter();
  const texts = useTexts();
  const hasDevices = (devices.list.value ?? []).length > 0;
  return (
    <section class="blank">
      <Tape>{"  TELEX  "}</Tape>
      {hasDevices && <p class="quiet">{texts.pickDevice}</p>}
    </section>
  );
}

/** The teleprinter: the list of devices, and next to it (on a phone: instead of it) the paper of one. */
export function TeleprinterPage() {
  const { router } = useApp();
  const texts = useTexts();
  const { deviceId } = router.route.value;
  return (
    <TwoPanes page="teleprinter" title={texts.teleprinter} isReading={deviceId !== null}>
      <DeviceList />
      {deviceId === null ? <NoDevice /> : <Conversation key={deviceId} deviceId={deviceId} />}
      <OpenDialog />
      <Arrivals />
    </TwoPanes>
  );
}
