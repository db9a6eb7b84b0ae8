import { lookup, Resolver } from "node:dns/promises";
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

/** Asks the resolver of the system, which also reads the hosts file, and holds a thread until a name server answers. */
const systemResolve: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/** Milliseconds for the first of two questions to a name server; the second one may take longer. */
const patience = { timeout: 1000, tries: 2 };

/**
 * Asks the name servers of the system without a thread. Strangers choose names whose servers never answer: each would hold one of the two threads
 * in which the whole process looks up names for ten seconds.
 * @param servers replaces the name servers of the system
 */
export function createResolve(servers?: readonly string[]): Resolve {
  return async (host) => {
    // A new one for each name, because one remembers the name servers that the system had when it was made.
    const resolver = new Resolver(patience);
    if (servers !== undefined) resolver.setServers(servers);
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  };
}

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

/** Names of this machine, which no name server has. */
const ownNames = /(?:^|\.)localhost\.?$/;

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
 * @param resolve default: the resolver of the system for allowed hosts, and {@link createResolve} for others
 * @throws TypeError for an entry that is not a `host:port`
 */
export function createTargets(allow: readonly string[], resolve?: Resolve): (url: URL) => Promise<Target> {
  const allowed = new Set(allow.map(readAllowed));
  const resolveOther = createResolve();
  return async (url) => {
    if (!/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
      throw new OutgoingError("bad_url");
    const host = hostOf(url);
    const isAllowed = allowed.has(`${host}:${portOf(url)}`);
    const resolveHost = resolve ?? (isAllowed || ownNames.test(host) ? systemResolve : resolveOther);
    const addresses = isIP(host) === 0 ? await lookUp(host, resolveHost) : [host];
    if (addresses.length === 0) throw new OutgoingError("unknown_host");
    if (!isAllowed && !addresses.every(isPublicAddress)) throw new OutgoingError("private_address");
    return { url, addresses };
  };
}
