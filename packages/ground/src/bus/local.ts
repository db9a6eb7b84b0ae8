import type { Bus } from "./bus.ts";

/**
 * A bus for several instances in one process that share a storage. It loses nothing and keeps the order.
 * @param topicOf the topic of an event, or null if every member must receive it
 */
export function createLocalBusOf<E>(topicOf: (event: E) => string | null): Bus<E> {
  const members = new Map<(event: E) => void, Set<string>>();
  return {
    join(receive) {
      // A key for each member, because two members may have the same function.
      const own = (event: E): void => receive(event);
      const followed = new Set<string>();
      members.set(own, followed);
      return Promise.resolve({
        publish(event) {
          if (!members.has(own)) return;
          const topic = topicOf(event);
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
