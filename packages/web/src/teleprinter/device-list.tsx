import type { DeviceView } from "@telex/core";
import { useMemo, useState } from "preact/hooks";
import { useComputed } from "@preact/signals";
import { useTeleprinter } from "./state/context.ts";
import { sharedNames } from "./state/names.ts";
import { useApp, useTexts } from "../app/context.ts";
import { devicePath } from "../app/route.ts";
import { EntryLink } from "../ui/lists/entry-link.tsx";
import { Filter } from "../ui/lists/filter.tsx";
import { createLazy } from "../ui/panes/lazy.tsx";
import { LinkButton } from "../ui/forms/link-button.tsx";
import { Icon } from "../ui/forms/icon.tsx";
import { memo } from "../ui/lists/memo.ts";
import { Waiting } from "../ui/lists/waiting.tsx";
import { NoDevices } from "./empty.tsx";
import { TagChips, tagsOf } from "./tag-chips.tsx";
import { Presence } from "./presence.tsx";

const SeveralDialog = createLazy(async () => (await import("./several/dialog.tsx")).SeveralDialog);

/** The number of devices from which the list can be filtered. */
const many = 8;

interface EntryProps {
  readonly device: DeviceView;
  /** True if another device has the same name. Then the ID is shown too. */
  readonly hasNamesake: boolean;
}

/** The state of a device in the list. Its signals change for this device only. */
function useEntry(deviceId: string) {
  const { router } = useApp();
  const { unread, drafts } = useTeleprinter();
  return {
    count: useComputed(() => unread.counts.value.get(deviceId) ?? 0).value,
    isCurrent: useComputed(() => router.route.value.deviceId === deviceId).value,
    hasDraft: useComputed(() => drafts.devices.value.has(deviceId)).value,
  };
}

function DrawnEntry({ device, hasNamesake }: EntryProps) {
  const texts = useTexts();
  const { deviceId } = device;
  const { count, isCurrent, hasDraft } = useEntry(deviceId);
  return (
    <EntryLink href={devicePath(deviceId)} name={device.name} isCurrent={isCurrent}>
      {hasNamesake && <span class="id">{deviceId}</span>}
      {count > 0 && <span class="unread">{texts.newTexts(count)}</span>}
      <span class="about">
        {device.fault === undefined ? <Presence device={device} /> : <span class="fault">{device.fault.reason}</span>}
        {hasDraft && !isCurrent && <span class="draft">{texts.draft}</span>}
      </span>
    </EntryLink>
  );
}

/** Memoized, because there may be thousands: a change of one device draws only its entry again. */
const Entry = memo(DrawnEntry, (a, b) => a.device === b.device && a.hasNamesake === b.hasNamesake);

const matches = (device: DeviceView, filter: string): boolean =>
  `${device.name} ${device.deviceId}`.toLocaleLowerCase().includes(filter.trim().toLocaleLowerCase());

/** Writes to all devices with a tag. */
function WriteToAll({ tag, devices }: { readonly tag: string; readonly devices: readonly DeviceView[] }) {
  const texts = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <LinkButton onClick={() => setOpen(true)}>{texts.writeToAll(devices.length)}</LinkButton>
      {isOpen && <SeveralDialog tag={tag} devices={devices} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The devices with the chosen tag, or all devices if the tag no longer exists. */
function useTagged(devices: readonly DeviceView[]) {
  const [wanted, choose] = useState<string | null>(null);
  const tags = useMemo(() => tagsOf(devices), [devices]);
  const tag = wanted !== null && tags.includes(wanted) ? wanted : null;
  return { tags, tag, choose, tagged: tag === null ? devices : devices.filter(({ tags: own }) => own?.includes(tag)) };
}

function Filtered({ devices }: { readonly devices: readonly DeviceView[] }) {
  const texts = useTexts();
  const [filter, setFilter] = useState("");
  const { tags, tag, choose, tagged } = useTagged(devices);
  const shown = tagged.filter((device) => matches(device, filter));
  const shared = sharedNames(devices);
  return (
    <>
      {devices.length >= many && <Filter label={texts.filterDevices} value={filter} onValue={setFilter} />}
      {tags.length > 0 && <TagChips tags={tags} chosen={tag} onChoose={choose} />}
      {tag !== null && <WriteToAll tag={tag} devices={tagged} />}
      {shown.length === 0 && <p class="quiet">{texts.noDeviceMatches(filter)}</p>}
      <ul class="devices">
        {shown.map((device) => (
          <Entry key={device.deviceId} device={device} hasNamesake={shared.has(device.name)} />
        ))}
      </ul>
    </>
  );
}

/** Replaces the list until it is loaded. */
function NotLoaded() {
  const { live } = useTeleprinter();
  const texts = useTexts();
  if (live.state.value === "offline") return <p class="quiet">{texts.devicesOffline}</p>;
  return <Waiting text={texts.devicesLoading} />;
}

function Contents({ devices }: { readonly devices: readonly DeviceView[] | null }) {
  if (devices === null) return <NotLoaded />;
  return devices.length === 0 ? <NoDevices /> : <Filtered devices={devices} />;
}

/** The heading of the list, with the number of devices that are online and a button for a new device. */
function Head({ devices }: { readonly devices: readonly DeviceView[] | null }) {
  const texts = useTexts();
  const online = devices?.filter((device) => device.online).length ?? 0;
  return (
    <header>
      <h2>{texts.devices}</h2>
      <a class="button primary" href="#pair">
        <Icon shape="plus" />
        {texts.pair}
      </a>
      {devices !== null && devices.length > 0 && <p>{texts.onlineCount(online, devices.length)}</p>}
    </header>
  );
}

/** Registers a device that already has a token. */
function ById() {
  const texts = useTexts();
  return (
    <p class="hint">
      {texts.registerHint} <a href="#register">{texts.register}</a>
    </p>
  );
}

/** The devices of the person, with live presence. */
export function DeviceList() {
  const teleprinter = useTeleprinter();
  const texts = useTexts();
  const devices = teleprinter.devices.list.value;
  return (
    <nav class="device-list" aria-label={texts.devices}>
      <Head devices={devices} />
      <Contents devices={devices} />
      <ById />
    </nav>
  );
}
