import { useTeleprinter } from "./state/context.ts";
import { useApp, useTexts } from "../app/context.ts";
import { devicePath } from "../app/route.ts";
import { TwoPanes } from "../ui/panes/two-panes.tsx";
import { Tape } from "../ui/panes/tape.tsx";
import { Arrivals } from "./arrivals.tsx";
import { Conversation } from "./conversation.tsx";
import { DeviceList } from "./device-list.tsx";
import { PairDialog } from "./dialogs/pair.tsx";
import { RegisterDialog } from "./dialogs/register.tsx";

const dialogs = { pair: PairDialog, register: RegisterDialog };

/** The dialog that the URL names. */
function OpenDialog() {
  const { router } = useApp();
  const { dialog } = router.route.value;
  const Dialog = dialog && dialogs[dialog];
  return Dialog && <Dialog onClose={() => router.go(location.pathname, "replace")} />;
}

/** Replaces the paper if no device is selected. */
function NoDevice() {
  const { devices } = useTeleprinter();
  const texts = useTexts();
  const [first, second] = devices.list.value ?? [];
  return (
    <section class="blank">
      <Tape>{"  TELEX  "}</Tape>
      {first !== undefined && (
        <p class="quiet">
          {second === undefined ? <a href={devicePath(first.deviceId)}>{texts.openDevice}</a> : texts.pickDevice}
        </p>
      )}
    </section>
  );
}

/** The page of devices: the list, with the paper of one device next to it. On a phone, the paper replaces the list. */
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
