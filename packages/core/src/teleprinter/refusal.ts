import { TelexError } from "../errors.ts";
import type { DeviceRefusal } from "./store.ts";

/** The error for a device that does not exist or is somebody else's. */
export const refusal = ({ outcome }: DeviceRefusal, deviceId: string): TelexError =>
  new TelexError(outcome === "missing" ? "device_not_found" : "not_owner", { params: { deviceId } });
