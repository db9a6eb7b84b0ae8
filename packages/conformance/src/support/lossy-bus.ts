import type { Bus, BusEvent } from "@telex/core";
import { createRandom } from "../testing/index.ts";

/**
 * A bus that does everything that a bus may do: it loses events, doubles them, and delivers them late and in another order.
 * @param seed the same seed chooses the same events
 */
export function withLosses(bus: Bus, seed: number): Bus {
  return {
    async join(receive) {
      const random = createRandom(seed);
      let hasLeft = false;
      const member = await bus.join((event: BusEvent) => {
        if (random.below(10) < 3) return;
        const late = (): void => {
          if (!hasLeft) receive(event);
        };
        if (random.below(2) === 0) receive(event);
        else setImmediate(late);
        if (random.below(10) < 3) setImmediate(late);
      });
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
  };
}
