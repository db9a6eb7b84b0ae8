import type { Bus, BusEvent } from "./bus.ts";

/**
 * A bus for several instances in one process that share a storage. It loses nothing and keeps the order.
 * @example
 * const bus = createLocalBus();
 * const one = await createTelex({ ...options, bus });
 * const other = await createTelex({ ...options, bus });
 */
export function createLocalBus(): Bus {
  const members = new Set<(event: BusEvent) => void>();
  return {
    join(receive) {
      // Two members may have the same function.
      const own = (event: BusEvent): void => receive(event);
      members.add(own);
      return Promise.resolve({
        publish(event) {
          if (!members.has(own)) return;
          for (const member of members) {
            if (member === own) continue;
            queueMicrotask(() => {
              if (members.has(member)) member(event);
            });
          }
        },
        leave() {
          members.delete(own);
          return Promise.resolve();
        },
      });
    },
  };
}
