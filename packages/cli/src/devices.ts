import type { DeviceMessageView, DeviceView } from "@telex/core";
import type { Command } from "commander";
import { configOf } from "./command.ts";
import { serverFor } from "./options.ts";
import { chooseProfile } from "./profiles/choose.ts";
import { settings } from "./settings/table.ts";

/** A page of what was said to and by a device, newest first. */
export interface DeviceHistory {
  readonly nextPageCursor: string | null;
  readonly messages: readonly DeviceMessageView[];
}

/** What `telex device` does with devices that exist: as their owner, as an admin, or in the storage as the operator. */
export interface DeviceVerbs {
  list(): Promise<readonly DeviceView[]>;
  history(request: {
    readonly deviceId: string;
    readonly pageSize: number;
    readonly cursor?: string;
  }): Promise<DeviceHistory>;
  rename(request: { readonly deviceId: string; readonly name: string }): Promise<DeviceView>;
  remove(deviceId: string): Promise<void>;
  /**
   * Pairs the device of a code.
   * @param warn hears the name of the device that the caller has under the same ID; pairing goes on when it resolves
   */
  pair(code: string, warn: (replaces: string) => Promise<void>): Promise<DeviceView>;
}

/** The options that say where devices are. */
export interface Place {
  readonly data?: string;
  readonly storage?: string;
  readonly user?: string;
}

/**
 * The devices that a command means. `--user`, `--data` and `--storage` mean all devices, as the operator: in the storage, or with
 * `--url` or `--profile` on a running server. Without them, an address or a profile means the devices of the token's user.
 * @throws UsageError for flags that exclude each other, and for settings that cannot be
 */
export async function devicesOf(command: Command, { data, storage, user }: Place): Promise<DeviceVerbs> {
  const config = await configOf(command);
  const asOperator = data !== undefined || storage !== undefined || user !== undefined;
  if (!asOperator && (config.rank(settings.url) > 0 || (await chooseProfile(config)) !== null))
    return (await import("./client/devices.ts")).devicesAt(await serverFor(config), config);
  return (await import("./operator/devices.ts")).devicesOfAll(command, user);
}
