import type { Clock } from "@telex/core";
import type { CallRequest } from "@telex/core/contract";
import { digestOf, generateSecret, isSecretShaped } from "../credentials/secrets.ts";
import type { SessionCookie } from "../requests/cookies.ts";
import { networkOf } from "../throttle/network.ts";
import { lives } from "./lives.ts";

/** Maximum networks and browsers that are remembered for an account. */
const most = 50;

/** The prefix of the digest of the secret that a browser keeps. */
const browserMark = "browser ";

const readEntry = (entry: string): { readonly place: string; readonly at: number } => {
  const end = entry.lastIndexOf(" ");
  return { place: entry.slice(0, end), at: Number(entry.slice(end + 1)) };
};

function isFresh(entry: string, now: number): boolean {
  const { place, at } = readEntry(entry);
  return now - at < (place.startsWith(browserMark) ? lives.browser : lives.seen);
}

interface SeenDeps {
  readonly clock: Clock;
  /** The cookie by which a browser is recognized. It opens no account. */
  readonly cookie: SessionCookie;
}

/** Where an account has signed in: guesses of others do not lock its owner out there. */
export interface Seen {
  /** Gives a browser a cookie by which it is recognized, unless it has one. */
  readonly mark: (request: CallRequest) => void;
  /** True if the account has signed in from the network of a request within 30 days, or from its browser within 180. */
  readonly has: (seen: readonly string[], request: CallRequest) => boolean;
  /** The places of an account that signs in with a request: the last 50. */
  readonly add: (seen: readonly string[], request: CallRequest) => readonly string[];
}

/** Remembers where accounts sign in. */
export function createSeen({ clock, cookie }: SeenDeps): Seen {
  const secretOf = ({ header }: CallRequest): string | null => {
    const secret = cookie.read(header("cookie"));
    return secret !== null && isSecretShaped("browser", secret) ? secret : null;
  };
  const placesOf = (request: CallRequest): readonly string[] => {
    const secret = secretOf(request);
    return [`net ${networkOf(request.address())}`, ...(secret === null ? [] : [browserMark + digestOf(secret)])];
  };
  return {
    mark(request) {
      if (secretOf(request) !== null) return;
      request.setHeader("set-cookie", cookie.write(generateSecret("browser"), lives.browser / 1000));
    },
    has(seen, request) {
      const places = placesOf(request);
      return seen.some((entry) => places.includes(readEntry(entry).place) && isFresh(entry, clock.now()));
    },
    add(seen, request) {
      const [now, places] = [clock.now(), placesOf(request)];
      const others = seen.filter((entry) => !places.includes(readEntry(entry).place) && isFresh(entry, now));
      return [...places.map((place) => `${place} ${now}`), ...others].slice(0, most);
    },
  };
}
