import { operator } from "@telex/core";
import type { OperatorServices } from "@telex/core";
import type { Command } from "commander";
import type { DeviceVerbs } from "../devices.ts";
import { UsageError } from "../errors.ts";
import { withTelex } from "./with-telex.ts";

/** The devices in the configured storage. */
export function devicesIn(command: Command, user: string | undefined): DeviceVerbs {
  const ask = async <T>(work: (devices: OperatorServices["devices"]) => Promise<T>): Promise<T> =>
    await withTelex(command, async (telex) => await work(telex.operator.devices));
  const userId = (): string => {
    if (user !== undefined) return user;
    throw new UsageError(
      "Name the owner of the devices with --user <id>. For your own devices on a running server, use --url or --profile.",
    );
  };
  return {
    list: async () => {
      const request = { userId: userId() };
      return await ask(async (devices) => await devices.list(operator, request));
    },
    history: async (request) => await ask(async (devices) => await devices.messages(operator, request)),
    rename: async (request) => await ask(async (devices) => await devices.rename(operator, request)),
    remove: async (deviceId) => await ask(async (devices) => void (await devices.remove(operator, { deviceId }))),
    pair: async (code) => {
      const request = { userId: userId(), code };
      return await ask(async (devices) => await devices.pair(operator, request));
    },
  };
}
