import type { Clock } from "@telex/core";

/** A participant of a heartbeat. */
export interface Beating {
  /** Called once per interval. */
  readonly beat: () => void;
}

/** Calls connections in turn. */
interface Heartbeat {
  add(one: Beating): void;
  delete(one: Beating): void;
  stop(): void;
}

/** Parts of an interval. Connections are spread over them, so that no single tick pings all of them. */
const slots = 30;

/** Creates a heartbeat with one beat per connection in each `interval` (milliseconds). */
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
