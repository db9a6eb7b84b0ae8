import { hash } from "node:crypto";
import { type Telex, TelexError } from "@telex/core";
import { LRUCache } from "lru-cache";

/** How many wrong attempts a key has in a time. */
interface WindowLimit {
  readonly most: number;
  /** Milliseconds. */
  readonly time: number;
  /** The name by which all servers count together. Default: each server counts alone. */
  readonly shared?: string;
}

/** An instance has what windows need. */
export type AttemptDeps = Pick<Telex, "clock" | "ratePeers">;

/** Counts attempts by key. */
interface AttemptWindow {
  /** True if the key has used up its attempts. */
  readonly isFull: (key: string) => boolean;
  /** Counts an attempt; a negative number gives attempts back. */
  readonly add: (key: string, attempts: number) => void;
  /** The error for a key that has used up its attempts. */
  readonly refusal: (key: string) => TelexError;
}

/** Keys that are remembered. An attacker who wants to push one out meets the limit of the server first. */
const keys = 20_000;

/** Milliseconds in which attempts are collected for one event. */
const publishDelay = 5;

/** Reports the collected attempts to the other servers. Attempts that were given back in between are left out. */
function publishPending({ ratePeers }: AttemptDeps, prefix: string, pending: Map<string, number>): void {
  const uses = Array.from(pending, ([key, calls]) => ({ policy: "attempt" as const, key: prefix + key, calls }));
  pending.clear();
  const changed = uses.filter(({ calls }) => calls !== 0);
  if (changed.length > 0) ratePeers?.publish(changed);
}

/** Reports the counts of this server to the others, and adds theirs. */
function share(deps: AttemptDeps, name: string, count: (key: string, attempts: number) => void) {
  const { clock, ratePeers } = deps;
  const prefix = `${name} `;
  const pending = new Map<string, number>();
  ratePeers?.subscribe(({ policy, key, calls }) => {
    if (policy === "attempt" && key.startsWith(prefix)) count(key.slice(prefix.length), calls);
  });
  return (key: string, attempts: number): void => {
    if (ratePeers === null) return;
    if (pending.size === 0) clock.after(publishDelay, () => publishPending(deps, prefix, pending));
    pending.set(key, (pending.get(key) ?? 0) + attempts);
  };
}

/**
 * Counts one attempt in several windows, unless one of them is full.
 * @throws TelexError `rate_limited`
 */
export function countIn(...counted: readonly (readonly [window: AttemptWindow, key: string])[]): void {
  for (const [window, key] of counted) if (window.isFull(key)) throw window.refusal(key);
  for (const [window, key] of counted) window.add(key, 1);
}

/** Other servers and their bus get no text that a person has typed: some type their password for a username. */
const digestOf = (key: string): string => hash("sha256", key, "base64url");

/**
 * Counts attempts in windows that begin with the first attempt. Servers that count together report to each other within milliseconds, so that
 * an attacker who uses all of them has few more attempts than on one.
 */
export function createAttemptWindow(deps: AttemptDeps, { most, time, shared }: WindowLimit): AttemptWindow {
  const { clock } = deps;
  const counts = new LRUCache<string, { readonly until: number; count: number }>({
    maxSize: keys,
    sizeCalculation: () => 1,
  });
  const current = (digest: string) => {
    const stored = counts.get(digest);
    return stored !== undefined && stored.until > clock.now() ? stored : { until: clock.now() + time, count: 0 };
  };
  const count = (digest: string, attempts: number): void => {
    const window = current(digest);
    window.count = Math.max(0, window.count + attempts);
    counts.set(digest, window);
  };
  const tellOthers = shared === undefined ? null : share(deps, shared, count);
  return {
    isFull: (key) => current(digestOf(key)).count >= most,
    add(key, attempts) {
      const digest = digestOf(key);
      count(digest, attempts);
      tellOthers?.(digest, attempts);
    },
    refusal(key) {
      const retryAfter = Math.max(1, Math.ceil((current(digestOf(key)).until - clock.now()) / 1000));
      return new TelexError("rate_limited", { params: { retryAfter }, retryAfter });
    },
  };
}
