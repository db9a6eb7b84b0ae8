import type { DeviceView } from "@telex/core";

type Named = Pick<DeviceView, "deviceId" | "name">;

/** The names that several devices share. */
export function sharedNames(devices: readonly Named[]): ReadonlySet<string> {
  const owners = new Map(devices.map(({ name, deviceId }) => [name, deviceId]));
  return new Set(devices.filter(({ name, deviceId }) => owners.get(name) !== deviceId).map(({ name }) => name));
}

/** Labels devices with their names. If two devices share a name, their labels include the IDs. */
export function labelled<D extends Named>(
  devices: readonly D[],
): readonly { readonly device: D; readonly label: string }[] {
  const shared = sharedNames(devices);
  return devices.map((device) => ({
    device,
    label: shared.has(device.name) ? `${device.name} (${device.deviceId})` : device.name,
  }));
}
