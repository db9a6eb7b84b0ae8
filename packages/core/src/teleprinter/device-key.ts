/** The outcome of every verb that names a device if the device does not exist or the caller does not own it. */
export type DeviceRefusal = { readonly outcome: "missing" } | { readonly outcome: "not_owner" };

/** A device and the user who claims to own it. */
export interface DeviceKey {
  readonly deviceId: string;
  readonly owner: number;
}
