import type { AccountView } from "@telex/auth-server/client";
import { connectAccounts } from "../server/accounts.ts";
import { isCode, type ServerOptions } from "../server/server.ts";

/** The account that the cookie of the browser opens; `noAccounts` if the server has no accounts. */
export type OwnAccount = AccountView | "signedOut" | "noAccounts";

/** The account whose cookie the browser has. */
export interface AccountServer {
  readonly show: () => Promise<OwnAccount>;
  /** Ends the session, which only the server can. */
  readonly signOut: () => Promise<null>;
}

/** Asks the server about the cookie of the browser. */
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
