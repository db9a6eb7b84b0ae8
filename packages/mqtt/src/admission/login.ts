import { type Telex, TelexError, type TokenHolder } from "@telex/core";
import type { DeviceAttendance, LiveConnection } from "@telex/core/transport";
import { isDeviceId } from "../topics/topics.ts";
import type { Login } from "../topics/access.ts";

/** An accepted login. */
export interface LoggedIn {
  readonly login: Login;
  /** Null for an owner. */
  readonly attendance: DeviceAttendance | null;
}

const refusals: readonly string[] = ["device_not_found", "not_owner", "insufficient_scope"];

/** Begins the attendance of a device; null if the device does not belong to this holder. */
async function attend(telex: Telex, live: LiveConnection, deviceId: string): Promise<DeviceAttendance | null> {
  try {
    return await telex.attendDevice(live, deviceId);
  } catch (cause) {
    if (refusals.includes(TelexError.from(cause).code)) return null;
    throw cause;
  }
}

const isOwner = ({ scopes }: TokenHolder): boolean => scopes.includes("chat") || scopes.includes("device");

/**
 * The login for a user name: the device with this ID if it belongs to the holder, otherwise the holder.
 * @param isPairing true if the device gets its token over this connection
 * @returns null if the token allows neither
 * @throws TelexError `storage_unavailable`
 */
export async function logIn(
  telex: Telex,
  live: LiveConnection,
  userName: string,
  isPairing: boolean,
): Promise<LoggedIn | null> {
  const { holder } = live;
  const attendance = isDeviceId(userName) ? await attend(telex, live, userName) : null;
  if (attendance !== null) return { login: { as: "device", deviceId: userName, holder, isPairing }, attendance };
  return isOwner(holder) ? { login: { as: "owner", holder }, attendance: null } : null;
}
