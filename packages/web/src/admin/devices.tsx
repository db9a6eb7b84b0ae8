import { useTexts } from "../app/context.ts";
import { Presence } from "../teleprinter/presence.tsx";
import { Card } from "./parts/card.tsx";
import { useOperator } from "./parts/context.ts";
import { Danger } from "../ui/actions/danger.tsx";
import { Fetched, useFetched } from "./parts/fetched.tsx";
import { DialogForm, Opens } from "../ui/actions/dialog-form.tsx";
import { ItemList, ItemRow } from "./parts/item-list.tsx";
import { useAdminTexts } from "./texts/texts.ts";
import { type OwnedDevice, type DeviceProps, type DialogProps, DeviceTexts } from "./device-texts.tsx";

function Rename({ device, onChange, onClose }: DialogProps) {
  const { devices } = useOperator();
  const shared = useTexts();
  const { users: texts } = useAdminTexts();
  const { deviceId, userId, name } = device;
  const rename = async (read: (name: "name") => string): Promise<string> => {
    const renamed = await devices.rename({ deviceId, userId, name: read("name") });
    onChange();
    return shared.renamed(renamed.name);
  };
  const entries = { name: { label: texts.deviceName, input: { maxlength: 256 } } };
  const form = { title: texts.rename(name), submit: shared.save, onSubmit: rename, onClose };
  return <DialogForm entries={entries} initial={{ name }} {...form} />;
}

function Remove({ device, onChange }: DeviceProps) {
  const { devices } = useOperator();
  const texts = useTexts();
  const { deviceId, userId, name } = device;
  const remove = async (): Promise<string> => {
    await devices.remove({ deviceId, userId });
    onChange();
    return texts.unregistered(name);
  };
  const title = texts.unregisterQuestion(name);
  const question = { label: texts.unregister, title, lead: texts.unregisterWarning(deviceId) };
  return <Danger look="link" about={name} {...question} work={remove} />;
}

function DeviceRow({ device, onChange }: DeviceProps) {
  const { users: texts } = useAdminTexts();
  const { deviceId, name } = device;
  return (
    <ItemRow name={name} side={<Presence device={device} />} about={deviceId}>
      <Opens look="link" label={texts.readTexts} about={name}>
        {(close) => <DeviceTexts device={device} onClose={close} />}
      </Opens>
      <Opens look="link" label={texts.renameLabel} about={name}>
        {(close) => <Rename device={device} onChange={onChange} onClose={close} />}
      </Opens>
      <Remove device={device} onChange={onChange} />
    </ItemRow>
  );
}

interface PairProps extends Omit<DialogProps, "device"> {
  readonly userId: number;
}

function Pair({ userId, onChange, onClose }: PairProps) {
  const { devices } = useOperator();
  const { users: texts } = useAdminTexts();
  const input = { class: "code", autocapitalize: "characters", spellcheck: false, maxlength: 16 } as const;
  const pair = async (read: (name: "code") => string): Promise<string> => {
    const { name } = await devices.pair({ userId, code: read("code").trim() });
    onChange();
    return texts.paired(name);
  };
  const entries = { code: { label: texts.code, hint: texts.codeHint, input } };
  const form = { title: texts.pairTitle, lead: texts.pairLead, submit: texts.pair, onSubmit: pair, onClose };
  return <DialogForm entries={entries} {...form} />;
}

export function UserDevices({ userId }: { readonly userId: number }) {
  const { devices } = useOperator();
  const { users: texts } = useAdminTexts();
  const fetched = useFetched(() => devices.list({ userId }), [devices, userId]);
  const { load } = fetched;
  const pair = <Opens label={texts.pair}>{(close) => <Pair userId={userId} onChange={load} onClose={close} />}</Opens>;
  const none = <p class="hint">{texts.noDevices}</p>;
  const row = (device: OwnedDevice) => <DeviceRow key={device.deviceId} device={device} onChange={load} />;
  return (
    <Card title={texts.devices} actions={pair}>
      <Fetched from={fetched}>{(items) => <ItemList items={items} none={none} row={row} />}</Fetched>
    </Card>
  );
}
