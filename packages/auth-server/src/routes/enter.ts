import { TelexError } from "@telex/core";
import type { CallContext, CallRequest } from "@telex/core/contract";
import type { Account } from "@telex/core/storage";
import { viewAccount } from "../accounts/views.ts";
import type { AccountContract } from "../contract/account.ts";
import type { Runs } from "../contract/routes-of.ts";
import type { RouteParts } from "./parts.ts";
import { requestOf } from "./request.ts";

type EnteringRuns = Pick<
  Runs<AccountContract>,
  "setup" | "join" | "register" | "recover" | "signIn" | "signInWithPasskey" | "enter" | "signOut"
>;

/** The operations that begin and end a session: each refuses a request that a page of another site made. */
export function createEnteringRuns({ entering, storage, services: { invitations } }: RouteParts): EnteringRuns {
  const way =
    <I>(enter: (input: I, request: CallRequest) => Promise<Account>) =>
    async (_caller: unknown, input: I, context: CallContext) => {
      const account = await enter(input, requestOf(context));
      const user = await storage.users.findUser(account.userId);
      if (user === null) throw new TelexError("invalid_token");
      return viewAccount(account, user, invitations.canInvite(account));
    };
  return {
    setup: way(entering.setup),
    join: way(entering.join),
    register: way(entering.register),
    recover: way(entering.recover),
    signIn: way(entering.signIn),
    signInWithPasskey: way(entering.signInWithPasskey),
    enter: way(entering.enter),
    async signOut(_caller, _input, context) {
      await entering.signOut(requestOf(context));
      return null;
    },
  };
}
