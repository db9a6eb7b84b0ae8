import type { Clock } from "@telex/core";
import type { Change, ChangeFeed } from "@telex/core/storage";
import type { Verb } from "../engine/gate.ts";

const keepFor = 60 * 60_000;
const mostInOneCall = 1000;
/** Removing changes moves the rest of the list, so at least this many are removed in one step. */
const forgetFrom = 1024;

/** Adds a change to the feed. */
export type Report = (kind: Change["kind"], key: number | string) => void;

/** The latest changes, from at least one hour. */
export function createChanges(verb: Verb, clock: Clock): { readonly feed: ChangeFeed; readonly report: Report } {
  const stored: { readonly change: Change; readonly at: number }[] = [];
  let latest = 0;

  const forget = (now: number): void => {
    const old = stored.findIndex(({ at }) => at >= now - keepFor);
    if (old >= forgetFrom) stored.splice(0, old);
  };
  return {
    feed: {
      latest: verb(() => latest),
      since: verb((seq) => {
        const start = stored.length - Math.max(0, latest - seq);
        if (start < 0) return null;
        return stored.slice(start, start + mostInOneCall).map(({ change }) => change);
      }),
    },
    report(kind, key) {
      const at = clock.now();
      latest += 1;
      stored.push({ change: { seq: latest, kind, key: String(key) }, at });
      if (latest % forgetFrom === 0) forget(at);
    },
  };
}
