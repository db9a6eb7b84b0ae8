import { createRecentClient, type RecentClient } from "@telex/metrics/client";
import { createSend, type ServerOptions, tokenOf } from "./server.ts";

/** The metrics of the last hours from the server of these pages, for admins. */
export const connectRecent = (options: ServerOptions): RecentClient =>
  createRecentClient({
    url: options.origin,
    ...tokenOf(options),
    language: options.language,
    fetch: createSend(options),
  });
