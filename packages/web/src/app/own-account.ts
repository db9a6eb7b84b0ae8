import type { AccountView } from "@telex/auth-server/client";
import { connectAccounts } from "../server/accounts.ts";
import { isCode, type ServerOptions } from "../server/server.ts";

/** The account that the browser's cookie belongs to, or `noAccounts` if the server has no accounts. */
export type OwnAccount = AccountView | "signedOut" | "noAccounts";

/** The server's account functions for the browser's cookie. */
export interface AccountServer {
  readonly show: () => Promise<OwnAccount>;
  /** Ends the session on the server. Scripts cannot delete its cookie. */
  readonly signOut: () => Promise<null>;
}

export function connectAccountServer(options: Omit<ServerOptions, "token">): AccountServer {
  const { show, signOut } = connectAccounts({ ...options, token: null });
  return {
    show: () =>
      show({}).catch((error: unknown) => {
        if (isCode(error, "invalid_token")) return "signedOut";
        if (isCode(error, "not_found")) return "noAccounts";
        throw error;
      }),
    signOut: () => signOut({}),
  };
}
