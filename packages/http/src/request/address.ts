import { isIP } from "node:net";
import type { H3Event } from "h3";
import { nodeOf } from "../server/node.ts";

/** The groups of an IPv6 address that stand before its last 64 bits. */
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

/** What counts as one caller among addresses: an IPv4 address, or the /64 network of an IPv6 address. */
export function addressKey(address: string): string {
  const plain = address.split("%", 1)[0] ?? "";
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  return isIP(plain) === 6 ? `${networkOf(plain)}::/64` : plain;
}

/**
 * The address of the caller, or null where the host does not tell.
 * @param proxies how many proxies before the server add to `X-Forwarded-For`; 0 where that header is not to be believed
 */
export function callerAddress(event: H3Event, proxies: number): string | null {
  const socketAddress = nodeOf(event)?.req.socket.remoteAddress ?? null;
  if (proxies === 0) return socketAddress;
  const hops = (event.req.headers.get("x-forwarded-for") ?? "").split(",").map((hop) => hop.trim());
  const claimed = hops.at(-proxies) ?? "";
  return isIP(claimed) === 0 ? socketAddress : claimed;
}
