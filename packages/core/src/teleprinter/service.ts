import type { Implementation } from "../contract.ts";
import { TelexError } from "../errors.ts";
import type { Limits } from "../limits.ts";
import type { Logger } from "../log.ts";
import type { EventHub } from "../plugin.ts";
import type { Clock, Zone } from "../time.ts";
import type { DeviceMessageView, DeviceView, TeleprinterContract } from "./contract.ts";
import { poll } from "./poll.ts";
import { refusal } from "./refusal.ts";
import type { DeviceAppend, DeviceRecord, TeleprinterStore } from "./store.ts";
import { deviceMessageView, deviceView, isOnline } from "./view.ts";
import type { Waiting } from "./waiting.ts";

/** What the teleprinter needs. */
export interface TeleprinterDependencies {
  readonly store: TeleprinterStore;
  readonly waiting: Waiting;
  readonly clock: Clock;
  readonly zone: Zone;
  readonly limits: Limits;
  readonly log: Logger;
  readonly events: EventHub;
  /** Settles in the order of the calls. */
  readonly ordered: <T>(promise: Promise<T>) => Promise<T>;
}

type Append = Pick<DeviceAppend, "deviceId" | "owner" | "direction" | "content" | "nonce">;

/** Texts between a user's page and a device (interface 4.1). */
export function createTeleprinterService(deps: TeleprinterDependencies): Implementation<TeleprinterContract> {
  const { store, waiting, clock, zone, limits, events } = deps;
  const view = (device: DeviceRecord): DeviceView => deviceView(device, zone, isOnline(device, clock.now(), limits));
  const seen = (device: DeviceRecord): DeviceView => {
    const shown = view(device);
    events.emit("device.presence", shown);
    return shown;
  };
  const touch = async (key: { readonly deviceId: string; readonly owner: number }): Promise<DeviceRecord> => {
    const touched = await store.touchDevice({ ...key, now: clock.now() });
    if (touched.outcome !== "touched") throw refusal(touched, key.deviceId);
    return touched.device;
  };
  const append = async (input: Append): Promise<DeviceMessageView> => {
    const appended = await deps.ordered(
      store.append({ ...input, now: clock.now(), nonceLife: limits.nonceLife, queueLimit: limits.deviceQueue }),
    );
    if (appended.outcome === "nonce_conflict") throw new TelexError("nonce_conflict");
    if (appended.outcome === "full") {
      throw new TelexError("queue_full", { params: { max: limits.deviceQueue }, retryAfter: 60 });
    }
    if (appended.outcome === "missing" || appended.outcome === "not_owner") throw refusal(appended, input.deviceId);
    const shown = deviceMessageView(appended.message, zone, appended.message.delivered ? 1 : 0);
    if (appended.outcome === "appended") {
      if (input.direction === "to_device") waiting.wake(input.deviceId);
      events.emit("device.message", shown);
    }
    return shown;
  };
  return {
    async register({ userId: owner }, { deviceId, name }) {
      const claimed = await store.claimDevice({ deviceId, owner, name, now: clock.now() });
      if (claimed.outcome === "taken") throw new TelexError("device_taken", { params: { deviceId } });
      return seen(claimed.device);
    },
    async heartbeat({ userId: owner }, { deviceId }) {
      return seen(await touch({ deviceId, owner }));
    },
    async offline({ userId: owner }, { deviceId }) {
      const left = await store.leaveDevice({ deviceId, owner });
      if (left.outcome !== "left") throw refusal(left, deviceId);
      return seen(left.device);
    },
    async poll({ userId: owner }, { deviceId, limit, wait, ack }, context) {
      await touch({ deviceId, owner });
      const messages = await poll(deps, { deviceId, owner, limit, wait, ack }, context);
      if (wait > 0) await touch({ deviceId, owner });
      return messages.map((message) => deviceMessageView(message, zone, ack === undefined ? 1 : 0));
    },
    sync: ({ userId: owner }, { deviceId, content, nonce = null }) =>
      append({ deviceId, owner, direction: "from_device", content, nonce }),
    send: ({ userId: owner }, { deviceId, content, nonce = null }) =>
      append({ deviceId, owner, direction: "to_device", content, nonce }),
    async devices({ userId }) {
      return (await store.listDevices(userId)).map(view);
    },
    async messages({ userId: owner }, { deviceId, cursor = null, pageSize }) {
      const page = await store.page({ deviceId, owner, before: cursor, limit: pageSize });
      if (page.outcome !== "page") throw refusal(page, deviceId);
      const messages = page.messages.map((message) => deviceMessageView(message, zone, message.delivered ? 1 : 0));
      return { nextPageCursor: page.more ? String(messages.at(-1)?.id) : null, messages };
    },
    async unregister({ userId: owner }, { deviceId }) {
      const released = await store.releaseDevice({ deviceId, owner });
      if (released.outcome !== "released") throw refusal(released, deviceId);
      waiting.wake(deviceId);
      return null;
    },
  };
}
