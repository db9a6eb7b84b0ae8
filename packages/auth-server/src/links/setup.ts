import { operator } from "@telex/core";
import type { AuthDeps } from "../options.ts";
import { lives } from "../sessions/lives.ts";
import { makeLink, type MadeLink } from "./links.ts";

/** The link that opens the account of the first admin. */
export function createSetup(deps: AuthDeps) {
  const { telex, storage } = deps;
  return {
    /**
     * Makes a set-up link if there is neither an admin nor a user; it ends the earlier one of the same server.
     * @param server names the server among several
     * @returns null if the first admin is made in the shell: `telex user add --admin`, `telex user role`
     */
    async make(server: string): Promise<MadeLink | null> {
      if (await storage.accounts.hasAdmin()) return null;
      if ((await telex.operator.users.list(operator, { limit: 1 })).length > 0) return null;
      const link = { kind: "setup", page: "/user/setup", makerId: null, data: {}, life: lives.setup } as const;
      return await makeLink(deps, { ...link, slot: `setup ${server}` });
    },
  };
}
