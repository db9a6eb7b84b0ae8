import { type AccountClient, createAccountClient } from "@telex/auth-server/client";
import { createSend, type ServerOptions, tokenOf } from "./server.ts";

/** The account functions of the server of these pages. */
export const connectAccounts = (options: ServerOptions): AccountClient =>
  createAccountClient({
    url: options.origin,
    ...tokenOf(options),
    language: options.language,
    fetch: createSend(options),
  });
