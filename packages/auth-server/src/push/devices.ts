import type { DeviceRecord } from "@telex/core/storage";
import { nextTick } from "@telex/core/transport";
import { digestOf } from "../credentials/secrets.ts";
import type { AuthDeps } from "../options.ts";
import type { Delivery } from "./delivery.ts";
import type { PushPayload } from "./payload.ts";
import type { Subscription } from "./records.ts";
import type { Subscribers } from "./subscribers.ts";
import type { Subscriptions } from "./subscriptions.ts";
import type { Windows } from "./windows.ts";

interface DeviceNewsDeps extends Pick<AuthDeps, "telex" | "storage"> {
  readonly subscribers: Subscribers;
  readonly subscriptions: Pick<Subscriptions, "listOf">;
  readonly windows: Windows;
  readonly delivery: Delivery;
}

const minute = 60_000;

/** Milliseconds for which a missed notification of an absence is still sent, such as after a pause of all servers. */
const late = 60 * minute;

/** A text of a device. */
interface DeviceText {
  readonly deviceId: string;
  readonly id: number;
  readonly content: string;
}

/** A short name of fixed length, for claims. */
const nameOf = (...parts: readonly (string | number)[]): string => digestOf(parts.join("\n")).slice(0, 40);

const urlOf = (deviceId: string): string => `/user/teleprinter/device/${deviceId}`;

const isCurrent = async ({ subscriptions }: DeviceNewsDeps, { id, userId }: Subscription): Promise<boolean> =>
  (await subscriptions.listOf(userId)).some((one) => one.id === id);

async function ownDevice(deps: DeviceNewsDeps, to: Subscription, deviceId: string): Promise<DeviceRecord | null> {
  const device = await deps.storage.teleprinter.findDevice(deviceId);
  return device?.owner === to.userId && (await isCurrent(deps, to)) ? device : null;
}

/** Notifies the owners of devices of their texts. Call it with each text that this server has stored. */
export function createDeviceTexts(deps: DeviceNewsDeps): (text: DeviceText) => Promise<void> {
  const { telex, storage, subscribers, subscriptions, windows, delivery } = deps;
  const tell = async (owner: number, { deviceId, content }: DeviceText, count: number): Promise<void> => {
    for (const to of await subscriptions.listOf(owner))
      if (to.texts)
        delivery.send(to, async (): Promise<PushPayload | null> => {
          const device = await ownDevice(deps, to, deviceId);
          if (device === null) return null;
          const said = to.text && { body: content };
          return { deviceId, event: "text", title: device.name, count, ...said, url: urlOf(deviceId) };
        });
  };
  return async (text) => {
    await subscribers.ready();
    if (subscribers.size() === 0) return;
    const owner = (await storage.teleprinter.findDevice(text.deviceId))?.owner;
    if (owner === undefined || !subscribers.has(owner)) return;
    windows.note(`device/${owner}/${nameOf(text.deviceId)}`, text.id, (ids) => {
      tell(owner, text, ids.length).catch((cause: unknown) => telex.log.error("push.tell_failed", {}, cause));
    });
  };
}

/** When a device went offline; null while it is online. */
function offlineSince({ telex }: DeviceNewsDeps, { away, lastSeen }: DeviceRecord): number | null {
  const since = away ? lastSeen : lastSeen + telex.limits.deviceSilence;
  return since < telex.clock.now() ? since : null;
}

/** True if a device has been offline for as long as a subscription wants to hear of, and was online after that began. */
function isDue(deps: DeviceNewsDeps, { createdAt, offline }: Subscription, device: DeviceRecord): boolean {
  const since = offlineSince(deps, device);
  if (since === null || offline === null || since < createdAt) return false;
  const overdue = deps.telex.clock.now() - since - offline * minute;
  return overdue >= 0 && overdue < late;
}

async function lookAtDevices(deps: DeviceNewsDeps, userId: number): Promise<void> {
  const { telex, storage, subscriptions, delivery } = deps;
  const all = (await subscriptions.listOf(userId)).filter(({ offline }) => offline !== null);
  if (all.length === 0) return;
  const devices = await storage.teleprinter.listDevices(userId);
  for (const to of all)
    for (const { deviceId, lastSeen } of devices.filter((device) => isDue(deps, to, device))) {
      if (!(await telex.leases.claim(`push/offline/${nameOf(to.id, deviceId, lastSeen)}`, 2 * late))) continue;
      delivery.send(to, async (): Promise<PushPayload | null> => {
        const device = await ownDevice(deps, to, deviceId);
        if (device === null || device.lastSeen !== lastSeen) return null;
        const minutes = to.offline ?? 0;
        return { deviceId, event: "offline", title: device.name, count: 1, minutes, url: urlOf(deviceId) };
      });
    }
}

/** Looks each minute for devices that are offline: of several servers, one does. The returned function ends it. */
export function watchOffline(deps: DeviceNewsDeps): () => void {
  const { telex, subscribers } = deps;
  const { clock, leases, log } = telex;
  let hasEnded = false;
  let cancel = (): void => {};
  const look = async (): Promise<void> => {
    await subscribers.ready();
    const userIds = subscribers.withOffline();
    if (userIds.length === 0 || !(await leases.claim("push/offline", 0.9 * minute))) return;
    for (const userId of userIds) {
      // A storage in memory answers immediately, so thousands of people would share one tick.
      await nextTick();
      if (!hasEnded) await lookAtDevices(deps, userId);
    }
  };
  const plan = (): void => {
    cancel = clock.after(minute, () => {
      look()
        .catch((cause: unknown) => {
          if (!hasEnded) log.error("push.offline_failed", {}, cause);
        })
        .finally(() => {
          if (!hasEnded) plan();
        });
    });
  };
  plan();
  return () => {
    hasEnded = true;
    cancel();
  };
}
