import type { DeviceView } from "@telex/core";

type Named = Pick<DeviceView, "deviceId" | "name">;

/** The names that more than one device has. */
export function sharedNames(devices: readonly Named[]): ReadonlySet<string> {
  const owners = new Map(devices.map(({ name, deviceId }) => [name, deviceId]));
  return new Set(devices.filter(({ name, deviceId }) => owners.get(name) !== deviceId).map(({ name }) => name));
}

/** The devices with a name that tells each from the others: where two share theirs, the ID stands behind it. */
export function labelled<D extends Named>(
  devices: readonly D[],
): readonly { readonly device: D; readonly label: string }[] {
  const shared = sharedNames(devices);
  return devices.map((device) => ({
    device,
    label: shared.has(device.name) ? `${device.name} (${device.deviceId})` : device.name,
  }));
}
