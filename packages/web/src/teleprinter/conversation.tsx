import type { DeviceView } from "@telex/core";
import { useEffect, useMemo } from "preact/hooks";
import { useTeleprinter } from "./state/context.ts";
import { useApp, useTexts } from "../app/context.ts";
import { home } from "../app/route.ts";
import { Heading } from "../ui/panes/heading.tsx";
import { Missing } from "../ui/lists/missing.tsx";
import { Composer } from "./composer.tsx";
import { DeviceMenu } from "./device-menu.tsx";
import { Paper } from "./paper.tsx";
import { Presence } from "./presence.tsx";
import type { Roll } from "./state/roll.ts";

const About = ({ device }: { readonly device: DeviceView }) => (
  <p>
    <Presence device={device} />
    {device.fault !== undefined && <span class="error">{device.fault.reason}</span>}
    <span class="id">{device.deviceId}</span>
  </p>
);

/** Loads the roll of a device, and marks its texts as read while the page shows it. */
function useRoll(deviceId: string): Roll {
  const teleprinter = useTeleprinter();
  const { live, unread } = teleprinter;
  const { now } = useApp();
  const roll = useMemo(() => teleprinter.unroll(deviceId), [teleprinter, deviceId]);
  const state = live.state.value;
  useEffect(() => {
    // Also repeats a failed load when the connection returns.
    if (roll.unrolled.value === null) void roll.load();
  }, [roll, state]);
  useEffect(() => {
    if (document.visibilityState === "visible") unread.clear(deviceId);
  }, [unread, deviceId, now.value]);
  useEffect(() => teleprinter.rollUp, [teleprinter, deviceId]);
  return roll;
}

/** Replaces a device that does not exist. */
function Unknown({ deviceId }: { readonly deviceId: string }) {
  const texts = useTexts();
  const back = { back: home, backLabel: texts.back };
  return <Missing title={texts.unknownDevice} lead={texts.unknownDeviceLead(deviceId)} {...back} />;
}

/** The page of a device. */
export function Conversation({ deviceId }: { readonly deviceId: string }) {
  const { outbox, devices } = useTeleprinter();
  const texts = useTexts();
  const roll = useRoll(deviceId);
  const device = devices.list.value?.find((each) => each.deviceId === deviceId);
  if (devices.list.value !== null && device === undefined) return <Unknown deviceId={deviceId} />;
  const name = device?.name ?? deviceId;
  const outgoing = outbox.texts.value.filter(({ to }) => to === deviceId);
  return (
    <section class="conversation" aria-label={name}>
      <Heading title={name} about={device && <About device={device} />} back={home} backLabel={texts.back}>
        {device !== undefined && <DeviceMenu device={device} />}
      </Heading>
      <Paper roll={roll} name={name} outgoing={outgoing} />
      <Composer deviceId={deviceId} name={name} />
    </section>
  );
}
