import { randomUUID } from "node:crypto";
import { type Bus, type BusEvent, type BusMember, busTopicOf, type Clock, type Logger, systemClock } from "@telex/core";
import type { Db } from "mongodb";
import { collectionOf } from "../driver/collections.ts";
import { createPosting } from "./posting.ts";
import { createPostReader } from "./post-reader.ts";

/** How {@link createMongoBus} works. */
export interface MongoBusOptions {
  /** The database of all servers of the installation: `storage.connection.db`. It stays open longer than the bus. */
  readonly db: Db;
  /** Logs when the change stream breaks and when it is open again. Default: no log. */
  readonly log?: Logger;
  /** Default: the clock of the machine. */
  readonly clock?: Clock;
}

/** Milliseconds after which the post of a server that was killed is removed. */
const postLife = 60 * 60_000;

const isEvent = (value: unknown): value is BusEvent =>
  typeof value === "object" && value !== null && "kind" in value && typeof value.kind === "string";

/** The events of a post; null if another program wrote it. */
function eventsOf(text: unknown): readonly BusEvent[] | null {
  try {
    const events: unknown = typeof text === "string" ? JSON.parse(text) : null;
    return Array.isArray(events) && events.every(isEvent) ? events : null;
  } catch {
    return null;
  }
}

function isFollowed(event: BusEvent, followed: ReadonlySet<string>): boolean {
  const topic = busTopicOf(event);
  return topic === null || followed.has(topic);
}

/** Delivers the events of a post that the member follows. */
function createDelivery(receive: (event: BusEvent) => void, followed: ReadonlySet<string>, log: Logger | null) {
  const deliver = (event: BusEvent): void => {
    if (!isFollowed(event, followed)) return;
    try {
      receive(event);
    } catch (cause) {
      // An event of a known kind without its fields must not end the change stream.
      log?.error("bus.receive_failed", {}, cause);
    }
  };
  return (post: unknown): void => {
    const events = eventsOf(post);
    if (events === null) log?.warn("bus.unreadable");
    else events.forEach(deliver);
  };
}

/**
 * Connects the servers of one installation over change streams of their database, so that they need no other service. Each server
 * has one document, to which it writes its events; the others read the changes of all these documents. Every server reads every
 * event, so this is meant for a few servers: for more, use a bus with subjects such as `@telex/bus-nats`.
 *
 * After a lost connection, a member continues after the last event that it read, if the database still has the changes. Events that
 * cannot be written are lost.
 *
 * `join` resolves when the change stream is open, or after 5 s if the database does not answer; the stream is then opened later.
 * @throws Error (as a rejection of `join`) if the database offers no change streams to this user
 * @example
 * const storage = await createMongoStorage({ url: "mongodb://db1,db2,db3/telex?replicaSet=rs0" });
 * const bus = createMongoBus(storage.connection);
 * const telex = await createTelex({ storage, blobs, images, bus });
 */
export const createMongoBus = ({ db, log, clock = systemClock }: MongoBusOptions): Bus => ({
  async join(receive): Promise<BusMember> {
    const posts = collectionOf(db, "posts");
    const id = randomUUID();
    const followed = new Set<string>();
    const posting = createPosting(posts, { id, clock });
    const deliver = createDelivery(receive, followed, log ?? null);
    const reader = createPostReader(posts, { id, deliver, lost: posting.takeLost, log: log ?? null });
    await reader.open();
    void posts.deleteMany({ at: { $lt: clock.now() - postLife } }).catch(() => undefined);
    return {
      publish: (event) => posting.publish(JSON.stringify(event)),
      follow(topic) {
        followed.add(topic);
        return Promise.resolve();
      },
      unfollow: (topic) => void followed.delete(topic),
      async leave() {
        reader.close();
        await posting.close();
      },
    };
  },
});
