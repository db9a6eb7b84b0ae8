import { networkOf } from "../throttle/network.ts";
import { lives } from "./lives.ts";

/** Networks that are remembered of an account. */
const most = 50;

const readEntry = (entry: string): { readonly place: string; readonly at: number } => {
  const end = entry.lastIndexOf(" ");
  return { place: entry.slice(0, end), at: Number(entry.slice(end + 1)) };
};

const placeOf = (address: string | null): string => `net ${networkOf(address)}`;

/** True if an account has signed in from the network of an address within 30 days of `now`. */
export const hasSeen = (seen: readonly string[], address: string | null, now: number): boolean =>
  seen.map(readEntry).some(({ place, at }) => place === placeOf(address) && now - at < lives.seen);

/** The places of an account after it has signed in from an address: those of the last 30 days, at most 50. */
export function withSeen(seen: readonly string[], address: string | null, now: number): readonly string[] {
  const place = placeOf(address);
  const others = seen.filter((entry) => {
    const known = readEntry(entry);
    return known.place !== place && now - known.at < lives.seen;
  });
  return [`${place} ${now}`, ...others].slice(0, most);
}
