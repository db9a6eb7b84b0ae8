import type { AccountView } from "@telex/auth-server/views";
import { connectCalls, hasFields, isNothing } from "../server/calls.ts";
import { isCode, type ServerOptions } from "../server/server.ts";

/** What the cookie of the browser opens: an account, nothing, or nothing ever, because the server has no accounts. */
export type OwnAccount = AccountView | "signedOut" | "noAccounts";

/** The account whose cookie the browser has. */
export interface AccountServer {
  readonly show: () => Promise<OwnAccount>;
  /** Ends the session, which only the server can. */
  readonly signOut: () => Promise<null>;
}

/** True for an account. */
const isAccount = (data: unknown): data is AccountView =>
  hasFields(data, "id", "username", "nickname", "role", "password");

/** Asks the server about the cookie of the browser. */
export function connectAccountServer(options: Omit<ServerOptions, "token">): AccountServer {
  const call = connectCalls({ ...options, token: null });
  return {
    show: () =>
      call("GET", "account", isAccount).catch((error: unknown) => {
        if (isCode(error, "invalid_token")) return "signedOut";
        if (isCode(error, "not_found")) return "noAccounts";
        throw error;
      }),
    signOut: () => call("POST", "account/signOut", isNothing, {}),
  };
}
