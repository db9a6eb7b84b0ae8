import { defaultRateLimits } from "@telex/http";
import type { HttpOptions } from "@telex/http";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";

/** The settings as options of HTTP. */
export const httpOptionsOf = ({ get }: Config): HttpOptions => ({
  rateLimits: get(settings.rateLimits) ? defaultRateLimits : false,
  trustProxy: get(settings.trustProxy),
  missingImage: get(settings.missingImage) === "placeholder" ? "placeholder" : "error",
});
