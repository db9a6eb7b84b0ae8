import { isIPv4 } from "node:net";
import { addressKey } from "@telex/core/transport";

/** The network that counts as one caller among strangers: an IPv4 network of 256 addresses, or the /64 network of an IPv6 address. */
export function networkOf(address: string | null): string {
  const key = addressKey(address ?? "unknown");
  return isIPv4(key) ? key.slice(0, key.lastIndexOf(".")) : key;
}
