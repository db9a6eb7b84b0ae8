import ipaddr from "ipaddr.js";

/** The IPv6 addresses that registries assign to the public. Other addresses are unused or internal. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * True for an address of the public network: not loopback, private, link-local, carrier-grade NAT, multicast, unspecified,
 * documentation or reserved, and no IPv6 address that stands for an IPv4 one (other than a mapped one that is public).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
}
