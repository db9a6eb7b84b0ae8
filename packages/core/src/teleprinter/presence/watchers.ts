import { createMultimap } from "@telex/ground/concurrency";
import type { LiveConnection } from "@telex/ground/live";
import type { TeleprinterLiveEvent } from "../live-events.ts";

/** The pages that watch the devices of a user. */
interface Watchers {
  /** Lets a connection watch. The returned function ends that. */
  watch(connection: LiveConnection<TeleprinterLiveEvent>): () => void;
  tell(userId: number, event: TeleprinterLiveEvent): void;
}

export function createWatchers(): Watchers {
  const watching = createMultimap<number, LiveConnection<TeleprinterLiveEvent>>();
  return {
    watch(connection) {
      const { userId } = connection.holder;
      watching.add(userId, connection);
      return () => void watching.remove(userId, connection);
    },
    tell(userId, event) {
      for (const connection of watching.of(userId)) connection.write([event]);
    },
  };
}
