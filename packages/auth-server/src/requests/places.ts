import { isIPv4 } from "node:net";

/** True for the names and addresses of this machine for itself. */
const isLoopbackName = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || (isIPv4(hostname) && hostname.startsWith("127."));

/** True for an address on this machine. */
export const isLoopback = ({ hostname }: URL): boolean => isLoopbackName(hostname);

/** True if browsers may keep the cookie of a session: over HTTPS, and on this machine. */
export const isSafePlace = (baseUrl: string): boolean => {
  const url = new URL(baseUrl);
  return url.protocol === "https:" || isLoopback(url);
};

/** Why signing in is impossible: the server is reached over HTTP, or the browser reached it at another address than its own. */
export type OffReason = "insecure" | "elsewhere";

/**
 * Why requests cannot sign in; null if they can. Behind a proxy, `Host` may be anything, so it is looked at only if the
 * server calls itself by a name of this machine.
 * @param host the header `Host`
 */
export function offReason(baseUrl: string, host: string | null): OffReason | null {
  if (!isSafePlace(baseUrl)) return "insecure";
  const used = host === null ? null : URL.parse(`http://${host}`);
  return isLoopback(new URL(baseUrl)) && used !== null && !isLoopback(used) ? "elsewhere" : null;
}
