import type { DeviceView, Telex } from "@telex/core";
import { actingFor, type CloseReason, type LiveConnection, type LiveEvent } from "@telex/core/transport";
import type { Packet } from "../wire/packets.ts";
import { createWatching } from "../session/watching.ts";
import type { Discovery } from "../topics/discovery.ts";

interface OwnerDeps {
  readonly telex: Telex;
  readonly discovery: Discovery | null;
  readonly send: (packet: Packet) => void;
  /** Called with the current state of a device of the user. `isListed`: it existed before this server started. */
  readonly found: (device: DeviceView, isListed: boolean) => void;
  /** Called when a device no longer belongs to the user. */
  readonly gone: (deviceId: string) => void;
  /** True for the event of a text that came from the broker. */
  readonly isEcho: (event: LiveEvent) => boolean;
  /** Called when the user is suspended (`token_ended`), or all connections are closed. */
  readonly ended: (reason: CloseReason) => void;
}

/** The devices of one user at the broker: their states, texts and configurations. */
export interface Owner {
  /** Lists the devices. */
  readonly begin: () => Promise<void>;
  /** Publishes the retained messages of all devices, or of one. */
  readonly publishRetained: (deviceId?: string) => Promise<void>;
  readonly end: () => void;
}

export function createOwner(userId: number, deps: OwnerDeps): Owner {
  const { telex, discovery, send, found, gone, isEcho, ended } = deps;
  const holder = actingFor(userId);
  const devices = new Set<string>();
  const state = { isOver: false, detach: (): void => {} };
  const note = (device: DeviceView, isListed: boolean): void => {
    devices.add(device.deviceId);
    found(device, isListed);
  };
  const list = (): Promise<readonly DeviceView[]> => telex.teleprinter.devices(holder, {});
  const check = async (deviceId: string): Promise<void> => {
    if ((await list()).some((device) => device.deviceId === deviceId)) return;
    devices.delete(deviceId);
    gone(deviceId);
  };
  const live: LiveConnection = {
    holder,
    write(events) {
      for (const { kind, data } of events) if (kind === "device_presence") note(data, false);
      watching.write(events.filter((event) => !isEcho(event)));
    },
    deviceRaised(deviceId) {
      if (!devices.has(deviceId)) return;
      watching.deviceRaised(deviceId);
      check(deviceId).catch((cause: unknown) => telex.log.error("mqtt.broker_failed", { deviceId }, cause));
    },
    close(reason) {
      state.isOver = true;
      ended(reason);
    },
  };
  const watching = createWatching({
    telex,
    live,
    out: { version: 5, send },
    login: { as: "owner", holder },
    discovery,
  });
  const topics = (device: string): readonly string[] => [
    `telex/${device}/status`,
    ...(discovery === null ? [] : [`${discovery.prefix}/+/${device === "+" ? device : `telex_${device}`}/config`]),
  ];
  return {
    async begin() {
      state.detach = telex.attach(live);
      if (state.isOver) return;
      for (const filter of [...topics("+"), "telex/+/from"]) watching.listen(filter);
      for (const device of await list()) note(device, true);
    },
    async publishRetained(deviceId = "+") {
      for (const filter of topics(deviceId)) await watching.publishRetained(filter);
    },
    end() {
      watching.stop();
      state.detach();
    },
  };
}
