import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isPublicAddress } from "./addresses.ts";
import { OutgoingError } from "./error.ts";

/** All addresses of a host. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** The target of one request: its URL, and the checked addresses to which it may connect. */
export interface Target {
  readonly url: URL;
  readonly addresses: readonly string[];
}

/** Asks the resolver of the system, which also reads the hosts file. */
export const systemResolve: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/** The host of a URL without the brackets of IPv6. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

const portOf = ({ port, protocol }: URL): string => port || (protocol === "https:" ? "443" : "80");

/** An entry of the allow-list in the form in which URLs are compared with it. */
function readAllowed(entry: string): string {
  const [, host = "", port = ""] = /^(.+):(\d{1,5})$/.exec(entry) ?? [];
  const url = URL.parse(`http://${host}`);
  if (url === null || url.port !== "" || url.pathname !== "/" || url.username !== "" || url.search !== "")
    throw new TypeError(`An allowed address must be host:port, such as 127.0.0.1:8080 or [::1]:8080; not "${entry}".`);
  return `${hostOf(url)}:${Number(port)}`;
}

async function lookUp(host: string, resolve: Resolve): Promise<readonly string[]> {
  try {
    return await resolve(host);
  } catch (error) {
    throw new OutgoingError("unknown_host", error);
  }
}

/**
 * Resolves and checks the host of a request.
 * @param allow `host:port` of the hosts that may have addresses inside the network
 * @throws TypeError for an entry that is not a `host:port`
 */
export function createTargets(allow: readonly string[], resolve: Resolve): (url: URL) => Promise<Target> {
  const allowed = new Set(allow.map(readAllowed));
  return async (url) => {
    if (!/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
      throw new OutgoingError("bad_url");
    const host = hostOf(url);
    const addresses = isIP(host) === 0 ? await lookUp(host, resolve) : [host];
    if (addresses.length === 0) throw new OutgoingError("unknown_host");
    const open = allowed.has(`${host}:${portOf(url)}`) || addresses.every(isPublicAddress);
    if (!open) throw new OutgoingError("private_address");
    return { url, addresses };
  };
}
