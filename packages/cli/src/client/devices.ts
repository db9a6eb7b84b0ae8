import type { DeviceVerbs } from "../devices.ts";
import type { Server } from "../options.ts";
import { withClient } from "./with-client.ts";

/** The devices of the token's user, over the network. */
export const devicesAt = (server: Server): DeviceVerbs => ({
  list: async () => await withClient(server, async ({ teleprinter }) => await teleprinter.devices()),
  history: async (request) => await withClient(server, async ({ teleprinter }) => await teleprinter.messages(request)),
  rename: async (request) => await withClient(server, async ({ teleprinter }) => await teleprinter.rename(request)),
  remove: async (deviceId) =>
    await withClient(server, async ({ teleprinter }) => void (await teleprinter.unregister({ deviceId }))),
  pair: async (code) =>
    await withClient(server, async ({ pairing }) => {
      // Looking the code up ties it to this user.
      await pairing.pairing({ code });
      return await pairing.confirmPairing({ code });
    }),
});
