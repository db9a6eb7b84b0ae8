import { TelexError } from "@telex/core";

const bearer = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/** The access tokens of a request. */
interface Carried {
  /** The value of `Authorization`, or null. */
  readonly header: string | null;
  /** The parameter `access_token`, if the route accepts it. */
  readonly query: string | undefined;
}

function fromHeader(header: string | null, open: boolean): string | null {
  if (header === null) return null;
  const token = bearer.exec(header)?.[1];
  // A public route may be behind a gateway with its own credentials.
  if (token === undefined && !open) throw new TelexError("invalid_token");
  return token ?? null;
}

/**
 * The access token of a request, or null.
 * @param open true for a route that works without a token: it ignores credentials of another kind
 * @throws TelexError `invalid_token` for a malformed header, `invalid_request` if header and query differ
 */
export function readToken({ header, query }: Carried, open: boolean): string | null {
  const token = fromHeader(header, open);
  if (token !== null && query !== undefined && token !== query)
    throw new TelexError("invalid_request", { reason: "token_mismatch" });
  return token ?? query ?? null;
}
