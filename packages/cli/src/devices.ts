import type { DeviceMessageView, DeviceView } from "@telex/core";
import type { Command } from "commander";
import { configOf } from "./command.ts";
import { UsageError } from "./errors.ts";
import { serverOf } from "./options.ts";
import { chooseProfile } from "./profiles/choose.ts";
import { settings } from "./settings/table.ts";

/** A page of what was said to and by a device, newest first. */
export interface DeviceHistory {
  readonly nextPageCursor: string | null;
  readonly messages: readonly DeviceMessageView[];
}

/** What `telex device` does with devices that exist: over the network as their owner, or in the storage as the operator. */
export interface DeviceVerbs {
  list(): Promise<readonly DeviceView[]>;
  history(request: {
    readonly deviceId: string;
    readonly pageSize: number;
    readonly cursor?: string;
  }): Promise<DeviceHistory>;
  rename(request: { readonly deviceId: string; readonly name: string }): Promise<DeviceView>;
  remove(deviceId: string): Promise<void>;
  pair(code: string): Promise<DeviceView>;
}

/** The options that say where devices are. */
export interface Place {
  readonly data?: string;
  readonly storage?: string;
  readonly user?: string;
}

/**
 * The devices that a command means: those of the token's user where an address or a profile was given, else those in the storage.
 * `--data`, `--storage` and `--user` always mean the storage.
 * @throws UsageError for both, and for settings that cannot be
 */
export async function devicesOf(command: Command, { data, storage, user }: Place): Promise<DeviceVerbs> {
  const config = await configOf(command);
  const inStorage = data !== undefined || storage !== undefined || user !== undefined;
  const named = config.rank(settings.url) === 3 || config.rank(settings.profile) === 3;
  if (inStorage && named) {
    throw new UsageError("--url and --profile are for a running server; --data, --storage and --user for the storage.");
  }
  const remote = !inStorage && (config.rank(settings.url) > 0 || (await chooseProfile(config)) !== null);
  if (remote) return (await import("./client/devices.ts")).devicesAt(await serverOf(command));
  return (await import("./operator/devices.ts")).devicesIn(command, user);
}
