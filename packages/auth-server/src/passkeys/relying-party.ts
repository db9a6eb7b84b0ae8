import { isIP } from "node:net";
import { TelexError } from "@telex/core";

/** Where the passkeys of a server work. */
export interface RelyingParty {
  /** The host name that passkeys belong to. */
  readonly rpId: string;
  /** The only origin whose pages may ask for them. */
  readonly origin: string;
}

/**
 * Where passkeys work; null if browsers have none: at an IP address, and over HTTP except on localhost.
 * @param baseUrl never the header `Host`, which strangers choose
 */
export function relyingPartyOf(baseUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(baseUrl);
  const isName = isIP(hostname) === 0 && !hostname.startsWith("[");
  const isSafe = protocol === "https:" || (protocol === "http:" && hostname === "localhost");
  return isName && isSafe ? { rpId: hostname, origin } : null;
}

/** Like {@link relyingPartyOf}, but throws `not_supported` instead of returning null. */
export function assertRelyingParty(baseUrl: string): RelyingParty {
  const party = relyingPartyOf(baseUrl);
  if (party === null) throw new TelexError("not_supported", { reason: "passkeys_need_name" });
  return party;
}
