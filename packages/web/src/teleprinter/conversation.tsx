import type { DeviceView } from "@telex/core";
import { useEffect, useMemo } from "preact/hooks";
import { useAccount, useApp, useTexts } from "../context.ts";
import { home } from "../route.ts";
import { Icon } from "../ui/icon.tsx";
import { Composer } from "./composer.tsx";
import { DeviceMenu } from "./device-menu.tsx";
import { Paper } from "./paper.tsx";
import { Presence } from "./presence.tsx";

function Heading({ deviceId, device }: { readonly deviceId: string; readonly device: DeviceView | undefined }) {
  const texts = useTexts();
  return (
    <header class="heading">
      <a class="button plain back" href={home} aria-label={texts.back}>
        <Icon shape="back" />
      </a>
      <div class="title">
        <h2 dir="auto">{device?.name ?? deviceId}</h2>
        {device !== undefined && (
          <p>
            <Presence device={device} />
            <span class="id">{deviceId}</span>
          </p>
        )}
      </div>
      {device !== undefined && <DeviceMenu device={device} />}
    </header>
  );
}

function UnknownDevice({ deviceId }: { readonly deviceId: string }) {
  const texts = useTexts();
  return (
    <section class="blank">
      <h2>{texts.unknownDevice}</h2>
      <p>{texts.unknownDeviceLead(deviceId)}</p>
      <a class="button" href={home}>
        {texts.back}
      </a>
    </section>
  );
}

/** The text page of a device. */
export function Conversation({ deviceId }: { readonly deviceId: string }) {
  const { teleprinter, live } = useAccount();
  const { now } = useApp();
  const { outbox, unread, devices } = teleprinter;
  const roll = useMemo(() => teleprinter.unroll(deviceId), [teleprinter, deviceId]);
  const device = devices.list.value?.find((each) => each.deviceId === deviceId);
  const state = live.state.value;
  useEffect(() => {
    // Also when the connection is back: what could not be loaded is loaded then.
    if (roll.unrolled.value === null) void roll.load();
  }, [roll, state]);
  useEffect(() => {
    if (document.visibilityState === "visible") unread.clear(deviceId);
  }, [unread, deviceId, now.value]);
  useEffect(() => teleprinter.rollUp, [teleprinter, deviceId]);
  if (devices.list.value !== null && device === undefined) return <UnknownDevice deviceId={deviceId} />;
  const name = device?.name ?? deviceId;
  const outgoing = outbox.texts.value.filter((text) => text.deviceId === deviceId);
  return (
    <section class="conversation" aria-label={name}>
      <Heading deviceId={deviceId} device={device} />
      <Paper roll={roll} name={name} outgoing={outgoing} />
      <Composer deviceId={deviceId} name={name} />
    </section>
  );
}
