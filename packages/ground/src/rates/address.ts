import { isIP } from "node:net";

/** The groups of an IPv6 address before its last 64 bits. */
function networkOf(address: string): string {
  const [head = "", tail] = address.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const dotted = after.at(-1)?.includes(".") === true ? 1 : 0;
  const missing = 8 - before.length - after.length - dotted;
  const groups = [...before, ...Array.from({ length: Math.max(0, missing) }, () => "0"), ...after];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}

/** The part of an address that counts as one caller: an IPv4 address, or the /64 network of an IPv6 address. */
export function addressKey(address: string): string {
  const plain = address.split("%", 1)[0] ?? "";
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  return isIP(plain) === 6 ? `${networkOf(plain)}::/64` : plain;
}

interface RequestOrigin {
  /** The remote address of the socket; null if the host does not provide it. */
  readonly socketAddress: string | null;
  /** The value of `X-Forwarded-For`; null without one. */
  readonly forwardedFor: string | null;
}

/**
 * The address of the caller, or null if the host does not provide it.
 * @param proxies how many proxies in front of the server add to `X-Forwarded-For`; 0 if that header is not trusted
 */
export function callerAddress({ socketAddress, forwardedFor }: RequestOrigin, proxies: number): string | null {
  if (proxies === 0) return socketAddress;
  const hops = (forwardedFor ?? "").split(",").map((hop) => hop.trim());
  const claimed = hops.at(-proxies) ?? "";
  return isIP(claimed) === 0 ? socketAddress : claimed;
}
