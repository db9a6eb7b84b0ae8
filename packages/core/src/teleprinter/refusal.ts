import { TelexError } from "@telex/ground/errors";
import type { DeviceRefusal } from "./store.ts";

/** The error for a device that does not exist or belongs to another user. */
export const refusal = ({ outcome }: DeviceRefusal, deviceId: string): TelexError =>
  new TelexError(outcome === "missing" ? "device_not_found" : "not_owner", { params: { deviceId } });

/** The error for a claim of a device that failed. `max`: how many devices a user may have. */
export const claimRefusal = (outcome: "taken" | "full", deviceId: string, max: number): TelexError =>
  outcome === "taken"
    ? new TelexError("device_taken", { params: { deviceId } })
    : new TelexError("quota_exceeded", { reason: "devices_too_many", params: { max }, retryAfter: 3600 });
