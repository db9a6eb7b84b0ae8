import { createOutgoing } from "@telex/outgoing";
import type { Seal } from "../oauth/seal.ts";
import type { AuthDeps, AuthOptions } from "../options.ts";
import { createActivity } from "./activity.ts";
import { createDelivery } from "./delivery.ts";
import { createDeviceTexts, watchOffline } from "./devices.ts";
import { createRoomNews } from "./rooms.ts";
import { createSubscribers } from "./subscribers.ts";
import { createSubscriptions, type Subscriptions } from "./subscriptions.ts";
import { createVapid, type Vapid } from "./vapid.ts";
import { createWindows } from "./windows.ts";

/** Notifications in browsers. */
export interface Push {
  readonly vapid: Pick<Vapid, "publicKey">;
  readonly subscriptions: Subscriptions;
  /** `host:port` of push services that may be inside the network, and without TLS. */
  readonly allow: readonly string[];
}

/** An answer of a push service has a few bytes. */
const maxBytes = 64 * 1024;

/** Notifies people of messages that this server stores, until the instance closes. */
export function createPush(
  { telex, storage, baseUrl }: AuthDeps,
  seal: Seal,
  { pushAllow = [], pushContact }: Pick<AuthOptions, "pushAllow" | "pushContact">,
): Push {
  const { clock, log, leases, ratePeers } = telex;
  const subscribers = createSubscribers({ accounts: storage.accounts, seal, clock, log });
  const subscriptions = createSubscriptions({ telex, storage, seal, subscribers });
  const vapid = createVapid({ keys: storage.keys, clock, seal, contact: () => pushContact ?? baseUrl() });
  const outgoing = createOutgoing({ allow: pushAllow, maxBytes });
  const delivery = createDelivery({ clock, log, outgoing, vapid, subscriptions });
  const windows = createWindows({ clock, leases, log });
  const activity = createActivity({ clock, ratePeers });
  const shared = { telex, storage, subscribers, subscriptions, windows, delivery };
  const roomNews = createRoomNews({ telex, storage, subscribers, subscriptions, windows, delivery, activity });
  const deviceTexts = createDeviceTexts(shared);
  const endWatch = watchOffline(shared);
  telex.plug({
    name: "push",
    on: {
      "message.created": ({ groupId, messageId }) => roomNews(groupId, messageId),
      "device.message": ({ direction, deviceId, id, content }) =>
        direction === "from_device" ? deviceTexts({ deviceId, id, content }) : undefined,
      "session.active": (used) => activity.note(used),
    },
    async end() {
      endWatch();
      subscribers.end();
      windows.end();
      delivery.end();
    },
  });
  return { vapid, subscriptions, allow: pushAllow };
}
