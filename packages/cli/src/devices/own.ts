import type { DeviceVerbs } from "./verbs.ts";
import { Failure } from "../errors/errors.ts";
import { devicesBy } from "./all.ts";
import { operationsAt } from "../operator/operations.ts";
import type { Server } from "../client/server.ts";
import type { Config } from "../settings/load.ts";
import { withClient } from "../client/with-client.ts";

/** The devices of the token's user, over the network. */
const ownDevices = (server: Server): DeviceVerbs => ({
  list: async () => await withClient(server, async ({ teleprinter }) => await teleprinter.devices()),
  history: async (request) => await withClient(server, async ({ teleprinter }) => await teleprinter.messages(request)),
  rename: async (request) => await withClient(server, async ({ teleprinter }) => await teleprinter.rename(request)),
  remove: async (deviceId) =>
    await withClient(server, async ({ teleprinter }) => void (await teleprinter.unregister({ deviceId }))),
  pair: async (code, warn) =>
    await withClient(server, async ({ pairing }) => {
      // Looking up the code binds it to this user.
      const { replaces } = await pairing.pairing({ code });
      if (replaces !== null) await warn(replaces);
      return await pairing.confirmPairing({ code });
    }),
});

const isScopeMissing = (error: unknown): boolean => error instanceof Failure && error.error === "insufficient_scope";

/** The devices of the token's user. A token with `admin` and without `chat` sees the devices of all users. */
export function devicesAt(server: Server, config: Config): DeviceVerbs {
  const own = ownDevices(server);
  const place = { config, isRemote: true };
  const all = devicesBy(
    async (work) => await withClient(server, async (client) => await work(operationsAt(client), place)),
    undefined,
  );
  const either = async <T>(work: (devices: DeviceVerbs) => Promise<T>): Promise<T> => {
    try {
      return await work(own);
    } catch (error) {
      if (!isScopeMissing(error)) throw error;
      return await work(all).catch((cause: unknown) => {
        throw isScopeMissing(cause) ? error : cause;
      });
    }
  };
  return {
    list: async () => await either(async (devices) => await devices.list()),
    history: async (request) => await either(async (devices) => await devices.history(request)),
    rename: async (request) => await either(async (devices) => await devices.rename(request)),
    remove: async (deviceId) => await either(async (devices) => await devices.remove(deviceId)),
    pair: async (code, warn) => await either(async (devices) => await devices.pair(code, warn)),
  };
}
