import type { DeviceMessageView, DeviceView } from "@telex/core";
/** A page of the texts to and from a device, newest first. */
export interface DeviceHistory {
  readonly nextPageCursor: string | null;
  readonly messages: readonly DeviceMessageView[];
}

/** The commands of `telex device` for existing devices, as their owner, as an admin, or as the operator in the storage. */
export interface DeviceVerbs {
  list(): Promise<readonly DeviceView[]>;
  history(request: {
    readonly deviceId: string;
    readonly pageSize: number;
    readonly cursor?: string;
  }): Promise<DeviceHistory>;
  /** Changes the name, or the tags. */
  rename(request: { readonly deviceId: string; readonly name?: string; readonly tags?: string[] }): Promise<DeviceView>;
  remove(deviceId: string): Promise<void>;
  /**
   * Pairs the device of a code.
   * @param warn called with the name of the device that the caller has under the same ID; pairing continues when it resolves
   */
  pair(code: string, warn: (replaces: string) => Promise<void>): Promise<DeviceView>;
}
