import type { Clock } from "@telex/core";

/** Something that is looked at regularly. */
export interface Beating {
  /** Called once per interval. */
  readonly beat: () => void;
}

/** Looks at connections in turn. */
interface Heartbeat {
  add(one: Beating): void;
  delete(one: Beating): void;
  stop(): void;
}

/** Parts of an interval: connections are spread over them, so that no single tick of the event loop pings them all. */
const slots = 30;

/** A heartbeat of one beat per connection and `interval` (milliseconds). */
export function createHeartbeat(clock: Clock, interval: number): Heartbeat {
  const rounds = Array.from({ length: slots }, () => new Set<Beating>());
  const homes = new WeakMap<Beating, Set<Beating>>();
  let added = 0;
  let current = 0;
  let cancel: (() => void) | null = null;

  const plan = (): void => {
    cancel = clock.after(interval / slots, () => {
      current = (current + 1) % slots;
      for (const one of rounds[current] ?? []) one.beat();
      plan();
    });
  };
  plan();
  return {
    add(one) {
      added += 1;
      const home = rounds[added % slots];
      if (home === undefined) return;
      homes.set(one, home.add(one));
    },
    delete: (one) => void homes.get(one)?.delete(one),
    stop: () => cancel?.(),
  };
}
