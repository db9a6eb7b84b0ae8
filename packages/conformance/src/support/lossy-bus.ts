import type { Bus, BusEvent } from "@telex/core";
import { createRandom, type Random } from "../testing/index.ts";

/** Passes events on: some never, some twice, some late. */
const lossy =
  (random: Random, receive: (event: BusEvent) => void) =>
  (event: BusEvent): void => {
    if (random.below(10) < 3) return;
    if (random.below(2) === 0) receive(event);
    else setImmediate(receive, event);
    if (random.below(10) < 3) setImmediate(receive, event);
  };

/**
 * A bus that does everything that a bus may do: it loses events, duplicates them, and delivers them late and in another order.
 * @param seed the same seed chooses the same events
 */
export const withLosses = (bus: Bus, seed: number): Bus => ({
  async join(receive) {
    let hasLeft = false;
    const receiveUntilLeft = (event: BusEvent): void => {
      if (!hasLeft) receive(event);
    };
    const member = await bus.join(lossy(createRandom(seed), receiveUntilLeft));
    return {
      publish: (event) => member.publish(event),
      follow: (topic) => member.follow(topic),
      unfollow: (topic) => member.unfollow(topic),
      leave() {
        hasLeft = true;
        return member.leave();
      },
    };
  },
});
