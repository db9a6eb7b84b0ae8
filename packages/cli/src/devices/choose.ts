import type { DeviceVerbs } from "./verbs.ts";
import type { Command } from "commander";
import { configOf } from "../options/command.ts";
import { serverFor } from "../client/server.ts";
import { chooseProfile } from "../profiles/choose.ts";
import { settings } from "../settings/table.ts";

/** The options that decide between one's own devices and those of others. */
export interface DeviceOptions {
  readonly data?: string;
  readonly storage?: string;
  readonly user?: string;
}

/**
 * The devices that a command means. `--user`, `--data` and `--storage` mean all devices, as the operator: in the storage, or with
 * `--url` or `--profile` on a running server. Without them, an address or a profile means the devices of the token's user.
 * @throws UsageError for flags that exclude each other, and for invalid settings
 */
export async function devicesOf(command: Command, { data, storage, user }: DeviceOptions): Promise<DeviceVerbs> {
  const config = await configOf(command);
  const asOperator = data !== undefined || storage !== undefined || user !== undefined;
  if (!asOperator && (config.rank(settings.url) > 0 || (await chooseProfile(config)) !== null))
    return (await import("./own.ts")).devicesAt(await serverFor(config), config);
  return (await import("./all.ts")).devicesOfAll(command, user);
}
