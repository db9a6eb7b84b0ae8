import { isIP } from "node:net";
import { TelexError } from "@telex/core";

/** Where the passkeys of a server work. */
export interface PasskeyPlace {
  /** The host name that passkeys belong to. */
  readonly rpId: string;
  /** The only origin whose pages may ask for them. */
  readonly origin: string;
}

/**
 * Where passkeys work; null where browsers have none: at an IP address, and over HTTP except on localhost.
 * @param baseUrl never the header `Host`, which strangers choose
 */
export function passkeyPlace(baseUrl: string): PasskeyPlace | null {
  const { protocol, hostname, origin } = new URL(baseUrl);
  const isName = isIP(hostname) === 0 && !hostname.startsWith("[");
  const isSafe = protocol === "https:" || (protocol === "http:" && hostname === "localhost");
  return isName && isSafe ? { rpId: hostname, origin } : null;
}

/** Like {@link passkeyPlace}, but throws `not_supported` instead of returning null. */
export function assertPasskeyPlace(baseUrl: string): PasskeyPlace {
  const place = passkeyPlace(baseUrl);
  if (place === null) throw new TelexError("not_supported", { reason: "passkeys_need_name" });
  return place;
}
