import type { RecentClient } from "@telex/metrics/client";
import { useAgo, useApp } from "../../app/context.ts";
import { Moment } from "../../ui/lists/when.tsx";
import { Fetched, useFetched } from "../parts/fetched.tsx";
import { ItemList, ItemRow } from "../parts/item-list.tsx";
import { ListHead } from "../parts/list.tsx";
import { useAdminTexts } from "../texts/texts.ts";
import { useRecent } from "./context.ts";
import { useRecentTexts } from "./texts.ts";

type Present = Awaited<ReturnType<RecentClient["devices"]>>;
type SeenDevice = Present["list"][number];

function Since({ device: { online, since } }: { readonly device: SeenDevice }) {
  const texts = useRecentTexts();
  const ago = useAgo();
  const at = Date.parse(since);
  const when = ago(at);
  return (
    <span class={online ? "presence on" : "presence"}>
      <Moment at={at}>{online ? texts.cameAt(when) : texts.wentAt(when)}</Moment>
    </span>
  );
}

const aboutOf = ({ deviceId, transport, program }: SeenDevice): string =>
  [deviceId, transport, program].filter((word) => word !== undefined).join(" · ");

function Devices({ online, list }: Present) {
  const texts = useRecentTexts();
  const row = (device: SeenDevice) => (
    <ItemRow key={device.deviceId} name={device.name} side={<Since device={device} />} about={aboutOf(device)} />
  );
  return (
    <>
      <p>
        <b>{texts.online(online)}</b>
      </p>
      <ItemList items={list} none={<p class="quiet">{texts.noDevices}</p>} row={row} look="wide" />
    </>
  );
}

/** Devices that are online, and those that went offline last. The list updates itself. */
export function DeviceList() {
  const recent = useRecent();
  const { now } = useApp();
  const { sections } = useAdminTexts();
  const texts = useRecentTexts();
  const fetched = useFetched(() => recent.devices({}), [recent, now.value]);
  return (
    <section>
      <ListHead title={sections.devices} />
      <p class="hint">{texts.presentLead}</p>
      <Fetched from={fetched}>{(present) => <Devices {...present} />}</Fetched>
    </section>
  );
}
