/** A scope for one device, as it is stored. */
interface DeviceScope {
  /** As clients see it: `device:<deviceId>`. */
  readonly scope: string;
  readonly deviceId: string;
  /** The generation of the device that the token is for. */
  readonly generation: number;
  /** The token of the admin who has issued this one over the network; null if no admin has. */
  readonly issuer: number | null;
}

const pattern = /^(device:([A-Za-z0-9_-]{1,64}))(?:#(\d{1,15}))?(?:@(\d{1,16}))?$/;

/**
 * The scope of a token for one generation of a device. Only the store sees the generation and the issuer. A program that does
 * not know of issuers takes a scope with one for no scope at all.
 */
export const storedDeviceScope = (deviceId: string, generation: number, issuer: number | null): string =>
  `device:${deviceId}#${generation}${issuer === null ? "" : `@${issuer}`}`;

/** Reads a stored scope; null where it is for no device. Without a generation it names the first one, 0. */
export function readDeviceScope(stored: string): DeviceScope | null {
  const [, scope, deviceId, generation = "0", issuer] = pattern.exec(stored) ?? [];
  if (scope === undefined || deviceId === undefined) return null;
  return { scope, deviceId, generation: Number(generation), issuer: issuer === undefined ? null : Number(issuer) };
}

/** A stored scope, as clients see it. */
export const shownScope = (stored: string): string => readDeviceScope(stored)?.scope ?? stored;
