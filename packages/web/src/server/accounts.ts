import { type AccountClient, createAccountClient } from "@telex/auth-server/client";
import { createSend, type ServerOptions, tokenOf } from "./server.ts";

/** The operations of accounts on the server that these pages came from. */
export const connectAccounts = (options: ServerOptions): AccountClient =>
  createAccountClient({
    url: options.origin,
    ...tokenOf(options),
    language: options.language,
    fetch: createSend(options),
  });
