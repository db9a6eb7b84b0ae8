import { anonymous, TelexError } from "@telex/core";
import type { RequestAuthenticator } from "@telex/core/transport";

/** A row of the host's table of sessions, as the adapters of Auth.js keep it. */
interface Session {
  readonly sessionToken: string;
  /** The number of the person; Telex has a user with this id. */
  readonly userId: number;
  readonly expires: Date;
}

/** The questions of Telex to the host's table. */
export interface SessionTable {
  readonly find: (sessionToken: string) => Promise<Session | null>;
}

/** Auth.js calls the cookie `__Secure-authjs.session-token` where the host has HTTPS. */
const pattern = /(?:^|;\s*)(?:__Secure-)?authjs\.session-token=([^;\s]+)/;

const tokenIn = (cookies: string | null): string | null => pattern.exec(cookies ?? "")?.[1] ?? null;

/**
 * Signs people in to Telex who are signed in to the host. A browser sends the cookie with requests that other sites make as well, so it counts
 * only if the browser says that a page of the host made the request.
 */
export function createSessionAuthenticator(sessions: SessionTable, origin: () => string): RequestAuthenticator {
  const assertOwnPage = (header: (name: string) => string | null): void => {
    const isOwn = header("sec-fetch-site") === "same-origin" || header("origin") === origin();
    if (!isOwn) throw new TelexError("cross_origin");
  };
  return {
    async authenticate({ header }) {
      const token = tokenIn(header("cookie"));
      if (token === null) return anonymous;
      assertOwnPage(header);
      const session = await sessions.find(token);
      if (session === null || session.expires.getTime() <= Date.now()) return anonymous;
      const { userId, expires } = session;
      return { kind: "token", userId, scopes: ["chat"], tokenId: null, expiresAt: expires.getTime() };
    },
    assertUpgrade({ header }) {
      if (tokenIn(header("cookie")) !== null) assertOwnPage(header);
    },
    // The host gives out no secrets that open a socket in the place of a token.
    redeem: async () => await Promise.resolve(null),
  };
}
