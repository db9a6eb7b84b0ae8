import { TelexError } from "@telex/core";
import type { Account } from "@telex/core/storage";
import { z } from "zod";
import type { AuthDeps } from "../options.ts";
import { lives } from "../sessions/lives.ts";
import { makeLink, type MadeLink, readLink } from "./links.ts";

const directData = z.object({ userId: z.int() });

/** How often a direct link signs in. */
const uses = 1000;

/** Links that sign a person in with a click: for a demo on this machine, which protects nothing. */
export function createDirectLinks(deps: AuthDeps) {
  const { telex, storage } = deps;
  return {
    /** Makes a link for 24 hours; the earlier one of the user ends. */
    make: async (userId: number): Promise<MadeLink> =>
      await makeLink(deps, {
        kind: "ticket",
        page: "/user/enter",
        makerId: null,
        data: { userId },
        life: lives.direct,
        uses,
        slot: `enter ${userId}`,
      }),
    /** Returns the account that a link signs in. Throws `link_ended`. */
    async use(secret: string): Promise<Account> {
      const use = { digest: readLink(secret), kind: "ticket", now: telex.clock.now() } as const;
      const link = await storage.accounts.consumeLink(use);
      const account =
        link === null ? null : await storage.accounts.findAccount(directData.parse(JSON.parse(link.data)));
      if (account === null) throw new TelexError("link_ended");
      return account;
    },
  };
}
