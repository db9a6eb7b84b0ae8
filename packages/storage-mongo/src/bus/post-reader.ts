import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "@telex/core";
import type { ChangeStream, ChangeStreamDocument, Document } from "mongodb";
import { isHistoryLost, isServerFault } from "../driver/errors.ts";
import type { Documents } from "../driver/documents.ts";
import { inTime } from "../driver/in-time.ts";
import type { Posts } from "./posting.ts";

type Post = Documents["posts"];

/** Milliseconds that joining waits for the change stream. */
const firstWait = 5000;
/** Milliseconds between two attempts to open it. */
const pause = 500;
/** Milliseconds for which the database waits for a change: less than the time-out of a socket. */
const awaitTime = 1000;
/** Milliseconds that one request for a change may take, with all attempts of the driver. */
const mostTime = 30_000;

interface ReaderDeps {
  /** The server that reads. Its own posts are skipped. */
  readonly id: string;
  readonly deliver: (post: unknown) => void;
  /** How many own events were lost since the last call. */
  readonly lost: () => number;
  readonly log: Logger | null;
}

/** Reads the posts of the other servers. */
interface PostReader {
  /**
   * Resolves when it reads, or after a while if the database does not answer.
   * @throws Error if the database offers no change streams to this user
   */
  readonly open: () => Promise<void>;
  readonly close: () => void;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Logs once when the change stream breaks, and once when it is open again. */
function createJournal({ log, lost }: ReaderDeps) {
  let state: "new" | "open" | "broken" = "new";
  return {
    opened(): void {
      if (state !== "open") log?.info("bus.connected", { lost: lost() });
      state = "open";
    },
    broken(error: unknown): void {
      if (state === "open") log?.warn("bus.disconnected", { reason: messageOf(error) });
      if (state === "new") log?.warn("bus.connect_failed", { reason: messageOf(error) });
      state = "broken";
    },
    /** The database no longer has the changes after the last post that was read. */
    missed: (): void => log?.warn("bus.missed"),
  };
}

/** Only complete posts of other servers. */
const pipelineFor = (id: string): Document[] => [
  { $match: { operationType: { $in: ["insert", "replace"] }, "documentKey._id": { $ne: id } } },
];

export function createPostReader(posts: Posts, deps: ReaderDeps): PostReader {
  const { id, deliver } = deps;
  const ended = new AbortController();
  const { signal } = ended;
  const journal = createJournal(deps);
  let stream: ChangeStream<Post> | null = null;
  /** The position at which the last change stream ended. */
  let token: unknown = null;

  const give = (change: ChangeStreamDocument<Post>): void => {
    const post = "fullDocument" in change ? change.fullDocument : undefined;
    if (!signal.aborted) deliver(post?.events);
  };
  /** Reads from where the last stream ended until this one breaks. */
  async function readStream(opened: () => void): Promise<void> {
    const position = token === null ? {} : { startAfter: token };
    const current = posts.watch(pipelineFor(id), { maxAwaitTimeMS: awaitTime, ...position });
    stream = current;
    try {
      // The database sends a position as soon as the stream is open, and the first change later.
      current.once("resumeTokenChanged", () => {
        journal.opened();
        opened();
      });
      while (!signal.aborted) {
        const change = await inTime(mostTime, current.tryNext());
        if (change !== null) give(change);
      }
    } finally {
      token = current.resumeToken ?? token;
      await inTime(mostTime, current.close()).catch(() => undefined);
    }
  }
  async function read(opened: (refusal: Error | null) => void): Promise<void> {
    while (!signal.aborted) {
      try {
        await readStream(() => opened(null));
      } catch (error) {
        if (signal.aborted) break;
        journal.broken(error);
        if (isHistoryLost(error)) journal.missed();
        // A wrong position stays wrong, so the reader continues with new posts.
        if (!isServerFault(error)) token = null;
        if (!isServerFault(error) && !isHistoryLost(error)) opened(new Error(refusalOf(error), { cause: error }));
        await delay(pause, undefined, { signal }).catch(() => undefined);
      }
    }
  }
  return {
    async open() {
      const { promise, resolve } = Promise.withResolvers<Error | null>();
      void read(resolve);
      const refusal = await Promise.race([promise, delay(firstWait, null, { signal })]);
      if (refusal === null) return;
      ended.abort();
      throw refusal;
    },
    close() {
      ended.abort();
      // Later posts are dropped, so no caller waits until the database has ended its wait for a change.
      void stream?.close().catch(() => undefined);
    },
  };
}

const refusalOf = (error: unknown): string =>
  `MongoDB refuses the change streams that servers need to exchange events: ${messageOf(error)}`;
