import { anonymous, TelexError, type TokenHolder } from "@telex/core";
import type { RequestAuthenticator } from "@telex/core/transport";
import type { AuthDeps } from "../options.ts";
import { lives } from "./lives.ts";
import type { Current, Sessions } from "./sessions.ts";
import type { SessionCookie } from "../requests/cookies.ts";
import { relationOf } from "../requests/origin.ts";

interface AuthenticatorDeps extends AuthDeps {
  readonly cookie: SessionCookie;
  readonly sessions: Sessions;
  readonly redeem: RequestAuthenticator["redeem"];
  readonly origins: () => ReadonlySet<string>;
}

/** The caller of a session. To change something as an admin, its person must have confirmed within an hour. */
function holderOf({ account, session }: Current, isChange: boolean, now: number): TokenHolder {
  const isAdmin = account.role === "admin";
  const mustConfirm = isAdmin && isChange && now - session.confirmedAt >= lives.adminConfirmation;
  return {
    kind: "token",
    userId: account.userId,
    scopes: isAdmin && !mustConfirm ? ["chat", "admin"] : ["chat"],
    tokenId: null,
    sessionId: session.sessionId,
    mustConfirm,
    expiresAt: session.until,
  };
}

/**
 * True if the request has the cookie of a session.
 * @throws TelexError `cross_origin` if another site sent it
 */
function hasOwnCookie({ cookie, origins }: AuthenticatorDeps, header: (name: string) => string | null): boolean {
  if (cookie.read(header("cookie")) === null) return false;
  if (relationOf({ header }, origins()) !== "same") throw new TelexError("cross_origin");
  return true;
}

/** Authenticates requests by the cookie of a session, if a page of this server made them. */
export function createAuthenticator(deps: AuthenticatorDeps): RequestAuthenticator {
  const { sessions, telex } = deps;
  return {
    async authenticate({ header, method }) {
      if (!hasOwnCookie(deps, header)) return anonymous;
      const current = await sessions.find(header);
      if (current === null) return anonymous;
      return sessions.note(holderOf(current, method !== "GET" && method !== "HEAD", telex.clock.now()), current);
    },
    assertUpgrade: ({ header }) => void hasOwnCookie(deps, header),
    redeem: deps.redeem,
  };
}
