import type { ServerEventBus } from "@modelcontextprotocol/server";
import type { Telex, TokenHolder } from "@telex/core";
import { resourceOf } from "./resources.ts";

type Listener = Parameters<ServerEventBus["subscribe"]>[0];

/** How a subscription begins and ends. */
interface CallerBusDeps {
  readonly telex: Pick<Telex, "attach" | "listen" | "watchDevices">;
  /** Ends the response when the token ends or the server stops. */
  readonly close: () => void;
}

/** Changes of the rooms and devices of one caller. Changes of others are never reported, whatever was asked for. */
export const createCallerBus = (holder: TokenHolder, { telex, close }: CallerBusDeps): ServerEventBus => ({
  publish: () => undefined,
  subscribe(listener: Listener) {
    const updated = (uri: string): void => listener({ kind: "resource_updated", uri });
    const connection: Parameters<Telex["attach"]>[0] = {
      holder,
      write(events) {
        for (const event of events) {
          if (event.kind === "message") updated(resourceOf("rooms", event.data.groupId));
          if (event.kind === "device_message") updated(resourceOf("devices", event.data.deviceId));
        }
      },
      close,
    };
    const ends = [telex.attach(connection)];
    const listening = telex.listen(connection, { echo: true, since: null });
    ends.push(() => listening.stop(), telex.watchDevices(connection));
    return () => {
      for (const end of ends.splice(0).toReversed()) end();
    };
  },
});
