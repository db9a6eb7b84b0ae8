import type { DeviceMessageView } from "@telex/core";
import type { OperatorClient } from "@telex/http/client";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useFormat } from "../app/context.ts";
import { Dialog } from "../ui/panes/dialog.tsx";
import { ErrorText } from "../ui/forms/error-text.tsx";
import { LinkButton } from "../ui/forms/link-button.tsx";
import { useOperator } from "./parts/context.ts";
import { useAdminTexts } from "./texts/texts.ts";
import { useAction } from "../ui/actions/use-action.ts";

export type OwnedDevice = Awaited<ReturnType<OperatorClient["devices"]["list"]>>[number];

export interface DeviceProps {
  readonly device: OwnedDevice;
  /** Called after the devices have changed. */
  readonly onChange: () => void;
}

export interface DialogProps extends DeviceProps {
  readonly onClose: () => void;
}

/** The texts of a device, newest first, page by page. */
function useTextsOf({ deviceId, userId }: OwnedDevice) {
  const { devices } = useOperator();
  const { run, text: problem } = useAction();
  const [texts, setTexts] = useState<readonly DeviceMessageView[] | null>(null);
  const [cursor, setCursor] = useState<string | null>(null);
  const loadPage = async (): Promise<null> => {
    const page = await devices.messages({ deviceId, userId, ...(cursor !== null && { cursor }) });
    setTexts((existing) => [...(existing ?? []), ...page.messages]);
    setCursor(page.nextPageCursor);
    return null;
  };
  const load = (): void => run(loadPage);
  const begin = useMemo(() => load, [deviceId]);
  useEffect(begin, [begin]);
  return { texts, hasMore: cursor !== null, load, problem };
}

function DeviceText({ text }: { readonly text: DeviceMessageView }) {
  const format = useFormat();
  const { users: texts } = useAdminTexts();
  const { direction, content, createdAt } = text;
  const [look, way] = direction === "from_device" ? ["from", texts.fromDevice] : ["to", texts.toDevice];
  return (
    <li class={look}>
      <p class="hint">
        {format.date(Date.parse(createdAt))} {way}
      </p>
      <p class="print" dir="auto">
        {content}
      </p>
    </li>
  );
}

export function DeviceTexts({ device, onClose }: Omit<DialogProps, "onChange">) {
  const admin = useAdminTexts();
  const { texts, hasMore, load, problem } = useTextsOf(device);
  const lines = texts?.map((text) => <DeviceText key={text.id} text={text} />);
  return (
    <Dialog title={admin.users.readTextsOf(device.name)} onClose={onClose}>
      <p class="hint">{admin.users.readLead}</p>
      <ErrorText text={problem} />
      {texts?.length === 0 && <p class="quiet">{admin.users.noTexts}</p>}
      <ul class="texts">{lines}</ul>
      {hasMore && <LinkButton onClick={load}>{admin.more}</LinkButton>}
    </Dialog>
  );
}
