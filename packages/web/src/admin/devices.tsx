import type { DeviceMessageView } from "@telex/core";
import type { OperatorClient } from "@telex/http/client";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useApp, useFormat, useTexts } from "../context.ts";
import { Presence } from "../teleprinter/presence.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { useOperator } from "./context.ts";
import { Danger } from "./danger.tsx";
import { DialogForm, Opens } from "./form.tsx";
import { Trouble, useFetched } from "./list.tsx";
import { useAdminTexts } from "./texts.ts";
import { useAction } from "./use-action.ts";
import { ErrorText } from "../ui/error-text.tsx";

type OwnedDevice = Awaited<ReturnType<OperatorClient["devices"]["list"]>>[number];

interface DeviceProps {
  readonly device: OwnedDevice;
  /** The devices have changed. */
  readonly onChange: () => void;
}

interface DialogProps extends DeviceProps {
  readonly onClose: () => void;
}

function Rename({ device, onChange, onClose }: DialogProps) {
  const { devices } = useOperator();
  const { notices } = useApp();
  const shared = useTexts();
  const { users: texts } = useAdminTexts();
  const { deviceId, userId, name } = device;
  return (
    <DialogForm
      title={texts.rename(name)}
      entries={[{ kind: "text", name: "name", label: texts.deviceName, input: { maxlength: 256 } }]}
      initial={{ name }}
      submit={shared.save}
      onSubmit={async (read) => {
        const renamed = await devices.rename({ deviceId, userId, name: read("name") });
        notices.say(shared.renamed(renamed.name));
        onChange();
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** The texts of a device, newest first, page by page. */
function useTextsOf({ deviceId, userId }: OwnedDevice) {
  const { devices } = useOperator();
  const action = useAction();
  const [texts, setTexts] = useState<readonly DeviceMessageView[] | null>(null);
  const [cursor, setCursor] = useState<string | null>(null);
  const load = (): void =>
    action.run(async () => {
      const page = await devices.messages({ deviceId, userId, ...(cursor !== null && { cursor }) });
      setTexts((known) => [...(known ?? []), ...page.messages]);
      setCursor(page.nextPageCursor);
    });
  const begin = useMemo(() => load, [deviceId]);
  useEffect(begin, [begin]);
  return { texts, hasMore: cursor !== null, load, problem: action.text };
}

function DeviceTexts({ device, onClose }: Omit<DialogProps, "onChange">) {
  const format = useFormat();
  const admin = useAdminTexts();
  const { texts, hasMore, load, problem } = useTextsOf(device);
  return (
    <Dialog title={admin.users.readTextsOf(device.name)} onClose={onClose}>
      <p class="hint">{admin.users.readLead}</p>
      <ErrorText text={problem} />
      {texts?.length === 0 && <p class="quiet">{admin.users.noTexts}</p>}
      <ul class="texts">
        {(texts ?? []).map(({ id, direction, content, createdAt }) => (
          <li key={id} class={direction === "from_device" ? "from" : "to"}>
            <p class="hint">
              {format.date(Date.parse(createdAt))}{" "}
              {direction === "from_device" ? admin.users.fromDevice : admin.users.toDevice}
            </p>
            <p class="print" dir="auto">
              {content}
            </p>
          </li>
        ))}
      </ul>
      {hasMore && <LinkButton onClick={load}>{admin.more}</LinkButton>}
    </Dialog>
  );
}

function Remove({ device, onChange }: DeviceProps) {
  const { devices } = useOperator();
  const { notices } = useApp();
  const texts = useTexts();
  const { deviceId, userId, name } = device;
  const remove = async (): Promise<void> => {
    await devices.remove({ deviceId, userId });
    notices.say(texts.unregistered(name));
    onChange();
  };
  const title = texts.unregisterQuestion(name);
  const question = { title, lead: texts.unregisterWarning(deviceId), confirm: texts.unregister };
  return <Danger look="link" label={texts.unregister} about={name} {...question} work={remove} />;
}

function DeviceRow({ device, onChange }: DeviceProps) {
  const { users: texts } = useAdminTexts();
  const { deviceId, name } = device;
  return (
    <li>
      <p class="first">
        <span class="name" dir="auto">
          {name}
        </span>
        <Presence device={device} />
      </p>
      <p class="hint">{deviceId}</p>
      <div class="actions links">
        <Opens look="link" label={texts.readTexts} about={name}>
          {(close) => <DeviceTexts device={device} onClose={close} />}
        </Opens>
        <Opens look="link" label={texts.renameLabel} about={name}>
          {(close) => <Rename device={device} onChange={onChange} onClose={close} />}
        </Opens>
        <Remove device={device} onChange={onChange} />
      </div>
    </li>
  );
}

interface PairProps {
  readonly userId: number;
  readonly onChange: () => void;
  readonly onClose: () => void;
}

function Pair({ userId, onChange, onClose }: PairProps) {
  const { devices } = useOperator();
  const { notices } = useApp();
  const { users: texts } = useAdminTexts();
  const input = { class: "code", autocapitalize: "characters", spellcheck: false, maxlength: 16 } as const;
  return (
    <DialogForm
      title={texts.pairTitle}
      lead={texts.pairLead}
      entries={[{ kind: "text", name: "code", label: texts.code, hint: texts.codeHint, input }]}
      submit={texts.pair}
      onSubmit={async (read) => {
        const { name } = await devices.pair({ userId, code: read("code").trim() });
        notices.say(texts.paired(name));
        onChange();
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** The devices of a user. */
export function UserDevices({ userId }: { readonly userId: number }) {
  const { devices } = useOperator();
  const { users: texts } = useAdminTexts();
  const { value, failure, load } = useFetched(() => devices.list({ userId }), [devices, userId]);
  return (
    <section class="card" aria-labelledby="devices">
      <h3 id="devices">{texts.devices}</h3>
      <Trouble failure={failure} onAgain={load} />
      {value?.length === 0 && <p class="hint">{texts.noDevices}</p>}
      <ul class="held">
        {(value ?? []).map((device) => (
          <DeviceRow key={device.deviceId} device={device} onChange={load} />
        ))}
      </ul>
      <div class="actions">
        <Opens label={texts.pair}>{(close) => <Pair userId={userId} onChange={load} onClose={close} />}</Opens>
      </div>
    </section>
  );
}
