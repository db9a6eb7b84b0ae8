import type { LiveConnection, LiveEvent } from "../live/live.ts";

/** The pages that watch the devices of a user. */
interface Watchers {
  /** Lets a connection watch; the returned function ends it. */
  watch(connection: LiveConnection): () => void;
  /** Tells the pages of a user. */
  tell(userId: number, event: LiveEvent): void;
}

/** Nobody watches yet. */
export function createWatchers(): Watchers {
  const watching = new Map<number, Set<LiveConnection>>();
  return {
    watch(connection) {
      const { userId } = connection.holder;
      const own = watching.get(userId) ?? new Set();
      watching.set(userId, own.add(connection));
      return () => {
        own.delete(connection);
        if (own.size === 0 && watching.get(userId) === own) watching.delete(userId);
      };
    },
    tell(userId, event) {
      for (const connection of watching.get(userId) ?? []) connection.write([event]);
    },
  };
}
