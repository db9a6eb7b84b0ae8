import type { Command } from "commander";
import type { DeviceVerbs } from "./verbs.ts";
import { UsageError } from "../errors/errors.ts";
import { onTarget } from "../operator/operate.ts";
import type { OperatorWork } from "../operator/operate.ts";

/** Runs the work of an operator command, on the storage or on a running server. */
type Run = <T>(work: OperatorWork<T>) => Promise<T>;

/**
 * The devices of all users, as the operator or an admin.
 * @param user the owner, which listing and pairing need. The other commands then reject devices of other users.
 */
export function devicesBy(run: Run, user: string | undefined): DeviceVerbs {
  const owner = user === undefined ? {} : { userId: user };
  const userId = (): string => {
    if (user !== undefined) return user;
    throw new UsageError(
      "Name the owner of the devices with --user <id>. For your own devices on a running server, use --url or --profile, and a token with the scope chat.",
    );
  };
  return {
    list: async () => {
      const request = { userId: userId() };
      return await run(async ({ devices }) => await devices.list(request));
    },
    history: async (request) => await run(async ({ devices }) => await devices.messages({ ...request, ...owner })),
    rename: async (request) => await run(async ({ devices }) => await devices.rename({ ...request, ...owner })),
    remove: async (deviceId) => await run(async ({ devices }) => void (await devices.remove({ deviceId, ...owner }))),
    pair: async (code) => {
      const request = { userId: userId(), code };
      return await run(async ({ devices }) => await devices.pair(request));
    },
  };
}

/** The devices of all users: on a running server if the command names one, otherwise in the storage. */
export const devicesOfAll = (command: Command, user: string | undefined): DeviceVerbs =>
  devicesBy(async (work) => (await onTarget(command, work)).result, user);
