/** A scope for one device, as it is stored. */
interface DeviceScope {
  /** As it goes out: `device:<deviceId>`. */
  readonly scope: string;
  readonly deviceId: string;
  /** The generation of the device that the token is for. */
  readonly generation: number;
}

const pattern = /^(device:([A-Za-z0-9_-]{1,64}))(?:#(\d{1,15}))?$/;

/** The scope of a token for one generation of a device. Only the store sees the generation. */
export const storedDeviceScope = (deviceId: string, generation: number): string => `device:${deviceId}#${generation}`;

/** Reads a stored scope; null where it is for no device. Without a generation it names the first one, 0. */
export function readDeviceScope(stored: string): DeviceScope | null {
  const [, scope, deviceId, generation = "0"] = pattern.exec(stored) ?? [];
  if (scope === undefined || deviceId === undefined) return null;
  return { scope, deviceId, generation: Number(generation) };
}

/** A stored scope as it goes out. */
export const shownScope = (stored: string): string => readDeviceScope(stored)?.scope ?? stored;
