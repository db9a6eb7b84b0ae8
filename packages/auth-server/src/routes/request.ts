import { TelexError } from "@telex/core";
import type { CallContext, CallRequest } from "@telex/core/contract";
import { relationOf } from "../requests/origin.ts";

/** The request of a call. Throws TypeError for a transport that has none: routes are offered over HTTP only. */
export function requestOf({ request }: CallContext): CallRequest {
  if (request === undefined) throw new TypeError("The routes of accounts need HTTP.");
  return request;
}

/**
 * Refuses a request that a page of another site made, which could sign a person in to another account. Programs other than browsers, which
 * name no site, pass. If sessions are off, there are no origins, and all requests are refused.
 * @throws TelexError `cross_origin`
 */
export function assertNotForeign(request: Pick<CallRequest, "header">, origins: () => ReadonlySet<string>): void {
  const allowed = origins();
  if (allowed.size === 0 || relationOf(request, allowed) === "foreign") throw new TelexError("cross_origin");
}

/**
 * Refuses a request that no page of this server made.
 * @throws TelexError `cross_origin`
 */
export function assertSamePage(request: Pick<CallRequest, "header">, origins: () => ReadonlySet<string>): void {
  if (relationOf(request, origins()) !== "same") throw new TelexError("cross_origin");
}
