import { randomBytes } from "node:crypto";
import { TelexError, type TokenHolder } from "@telex/core";
import { list } from "@telex/core/contract";
import { z } from "zod";
import { digestOf, generateSecret, isSecretShaped } from "../credentials/secrets.ts";
import type { AuthDeps } from "../options.ts";
import { lives } from "./lives.ts";

/** A caller as a ticket keeps it. Generations and issuers are left out: a ticket is only given to callers without them. */
const holderData = z.object({
  userId: z.int(),
  scopes: list(z.string(), 32),
  tokenId: z.int().nullable(),
  sessionId: z.string().nullable(),
  expiresAt: z.int().nullable(),
});

/** Maximum usable tickets of one user. */
const most = 100;

/** Tickets: secrets for one use within 60 seconds, which replace a token in the address of a socket. */
export function createTickets({ telex, storage }: AuthDeps) {
  const { accounts } = storage;
  return {
    /**
     * Makes a ticket with the scopes and the end of a caller.
     * @throws TelexError `rate_limited` if the caller has 100 unused ones, `not_allowed` for the token of a device
     */
    async make(holder: TokenHolder): Promise<{ readonly ticket: string; readonly expiresIn: number }> {
      const { userId, tokenId, sessionId = null, expiresAt } = holder;
      if (holder.generations !== undefined && holder.generations.size > 0) throw new TelexError("not_allowed");
      const ticket = generateSecret("ticket");
      const now = telex.clock.now();
      const data: z.output<typeof holderData> = { userId, scopes: [...holder.scopes], tokenId, sessionId, expiresAt };
      const outcome = await accounts.issueLink(
        {
          linkId: randomBytes(12).toString("hex"),
          digest: digestOf(ticket),
          kind: "ticket",
          makerId: userId,
          slot: null,
          data: JSON.stringify(data),
          uses: 1,
          createdAt: now,
          until: now + lives.ticket,
        },
        most,
      );
      if (outcome === "limit_reached")
        throw new TelexError("rate_limited", { params: { retryAfter: 60 }, retryAfter: 60 });
      return { ticket, expiresIn: lives.ticket / 1000 };
    },
    /** The caller who made a ticket, once; null if it is unknown, used or expired. */
    async redeem(ticket: string): Promise<TokenHolder | null> {
      if (!isSecretShaped("ticket", ticket)) return null;
      const link = await accounts.consumeLink({ digest: digestOf(ticket), kind: "ticket", now: telex.clock.now() });
      if (link === null) return null;
      const { sessionId, ...holder } = holderData.parse(JSON.parse(link.data));
      return { kind: "token", ...holder, ...(sessionId !== null && { sessionId }) };
    },
  };
}
