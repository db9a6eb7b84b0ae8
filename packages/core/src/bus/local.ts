import type { Bus, BusEvent } from "./bus.ts";
import { busTopicOf } from "./topics.ts";

/**
 * A bus for several instances in one process that share a storage. It loses nothing and keeps the order.
 * @example
 * const bus = createLocalBus();
 * const one = await createTelex({ ...options, bus });
 * const other = await createTelex({ ...options, bus });
 */
export function createLocalBus(): Bus {
  const members = new Map<(event: BusEvent) => void, Set<string>>();
  return {
    join(receive) {
      // Two members may have the same function.
      const own = (event: BusEvent): void => receive(event);
      const followed = new Set<string>();
      members.set(own, followed);
      return Promise.resolve({
        publish(event) {
          if (!members.has(own)) return;
          const topic = busTopicOf(event);
          for (const [member, follows] of members) {
            if (member === own || (topic !== null && !follows.has(topic))) continue;
            queueMicrotask(() => {
              if (members.has(member)) member(event);
            });
          }
        },
        follow(topic) {
          followed.add(topic);
          return Promise.resolve();
        },
        unfollow: (topic) => void followed.delete(topic),
        leave() {
          members.delete(own);
          return Promise.resolve();
        },
      });
    },
  };
}
