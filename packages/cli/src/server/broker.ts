import type { Telex } from "@telex/core";
import type { RateLimiter } from "@telex/core/transport";
import type { Broker } from "@telex/mqtt/broker";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";

/** The connection to an existing MQTT broker; null if none is set. If the broker is away, the server tries again. */
export async function brokerOf({ get }: Config, telex: Telex, rateLimiter: RateLimiter): Promise<Broker | null> {
  const url = get(settings.mqttUrl);
  if (url === null) return null;
  const { createBroker } = await import("@telex/mqtt/broker");
  return createBroker(telex, {
    url,
    clientId: `telex-${get(settings.installation)}`,
    isTrusted: get(settings.mqttTrust),
    discovery: get(settings.mqttDiscovery) ?? "",
    rateLimiter,
  });
}
