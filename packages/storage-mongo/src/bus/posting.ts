import type { Clock } from "@telex/core";
import type { Collection } from "mongodb";
import type { Documents } from "../driver/documents.ts";
import { inTime } from "../driver/in-time.ts";

/** The documents to which servers write their events. */
export type Posts = Collection<Documents["posts"]>;

/** Maximum characters of one post. A document of MongoDB has at most 16 MiB, and a character at most 3 bytes. */
const mostOfPost = 4 * 2 ** 20;
/** Maximum characters that wait while the database accepts no writes. Further events are dropped, so that memory does not fill up. */
const mostWaiting = 32 * 2 ** 20;

/** Milliseconds that a write may take. */
const mostTime = 20_000;

/** Writes the events of one server. */
interface Posting {
  /** Sends an event as JSON, or drops it. */
  readonly publish: (event: string) => void;
  /** How many events were lost since the last call. */
  readonly takeLost: () => number;
  /** Writes the waiting events if the database accepts them, and drops later ones. */
  readonly close: () => Promise<void>;
}

/** Events that wait to be written. */
function createQueue() {
  const waiting: string[] = [];
  let size = 0;
  return {
    isEmpty: (): boolean => waiting.length === 0,
    hasRoom: (event: string): boolean => event.length <= mostOfPost && size + event.length <= mostWaiting,
    add(event: string): void {
      waiting.push(event);
      size += event.length;
    },
    /** Removes as many as fit into a post. */
    take(): readonly string[] {
      let taken = 0;
      let count = 0;
      for (const { length } of waiting) {
        if (count > 0 && taken + length > mostOfPost) break;
        taken += length;
        count += 1;
      }
      size -= taken;
      return waiting.splice(0, count);
    },
  };
}

/**
 * Publishes events. One write is in progress at a time, so the events keep their order, and those that are published during a write are sent
 * together.
 */
export function createPosting(posts: Posts, { id, clock }: { readonly id: string; readonly clock: Clock }): Posting {
  const queue = createQueue();
  let lost = 0;
  let isOpen = true;
  let writing: Promise<void> | null = null;

  async function write(): Promise<void> {
    // Other events of this tick are sent with it.
    await new Promise((resolve) => setImmediate(resolve));
    while (!queue.isEmpty()) {
      const events = queue.take();
      const post = { at: clock.now(), events: `[${events.join(",")}]` };
      // The change stream shows the post when a majority has it, so the write need not wait for that.
      const options = { upsert: true, writeConcern: { w: 1 } } as const;
      await inTime(mostTime, posts.replaceOne({ _id: id }, post, options)).catch(() => (lost += events.length));
    }
    writing = null;
  }
  return {
    publish(event) {
      if (!isOpen) return;
      if (!queue.hasRoom(event)) {
        lost += 1;
        return;
      }
      queue.add(event);
      writing ??= write();
    },
    takeLost() {
      const count = lost;
      lost = 0;
      return count;
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await writing;
      await inTime(mostTime, posts.deleteOne({ _id: id })).catch(() => undefined);
    },
  };
}
