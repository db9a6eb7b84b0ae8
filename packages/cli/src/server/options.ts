import type { Telex } from "@telex/core";
import { createRateLimiter, defaultRateLimits, type RateLimiter, unlimited } from "@telex/core/transport";
import type { HttpOptions } from "@telex/http";
import type { WsOptions } from "@telex/ws";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";

/** The settings as options of HTTP. */
export const httpOptionsOf = ({ get }: Config): HttpOptions => ({
  trustProxy: get(settings.trustProxy),
  cors: get(settings.cors),
  missingImage: get(settings.missingImage) === "placeholder" ? "placeholder" : "error",
});

/** The settings as options of the sockets. */
export const wsOptionsOf = ({ get }: Config): WsOptions => ({
  others: "refuse",
  trustProxy: get(settings.trustProxy),
  ...(get(settings.rateLimits) && {
    socketsPerAddress: get(settings.socketsPerAddress),
    socketsPerToken: get(settings.socketsPerToken),
  }),
});

/** The limiter that all transports share. */
export const rateLimiterOf = ({ get }: Config, telex: Telex): RateLimiter =>
  get(settings.rateLimits) ? createRateLimiter(defaultRateLimits, telex) : unlimited;
