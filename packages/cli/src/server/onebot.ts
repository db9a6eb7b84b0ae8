import { createOneBot, type Incoming, type OneBot } from "@telex/bot-onebot";
import type { OneBotImplementation } from "@telex/bot-onebot/implementation";
import type { RateLimiter } from "@telex/core/transport";
import { readManifest } from "../manifest.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";

/** Values that exist only when the server runs. */
interface Late {
  /** The address that the server listens on. */
  readonly address: () => string;
  readonly rateLimiter: () => RateLimiter;
  /** Shared with the bots of external networks. */
  readonly incoming: Incoming;
}

/** The endpoint for bots of external networks. */
export const botsOf = ({ get }: Config, rateLimiter: () => RateLimiter): OneBot =>
  createOneBot({ mediaAllow: get(settings.mediaAllow), rateLimiter, trustProxy: get(settings.trustProxy) });

/** The endpoint for frameworks that speak OneBot; empty if the setting is off. */
export async function oneBotOf(
  { get }: Config,
  { address, rateLimiter, incoming }: Late,
): Promise<readonly OneBotImplementation[]> {
  if (!get(settings.onebot)) return [];
  const { createOneBotImplementation } = await import("@telex/bot-onebot/implementation");
  return [
    createOneBotImplementation({
      baseUrl: () => get(settings.baseUrl) ?? address(),
      mediaAllow: get(settings.mediaAllow),
      rateLimiter,
      trustProxy: get(settings.trustProxy),
      incoming,
      appVersion: readManifest().version,
    }),
  ];
}
