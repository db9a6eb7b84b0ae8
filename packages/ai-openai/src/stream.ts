import { createAbandonable } from "./abandonable.ts";
import type { Chunk } from "./chunk.ts";
import { createChunkReader } from "./chunks.ts";
import { dispatch, type Service, type ServiceRequest } from "./request.ts";
import type { ServiceError } from "./service-error.ts";
import type { Watchdog } from "./watchdog.ts";

/** One request, and what comes of it. */
export interface ChunkStream {
  /**
   * All that has come and was not read, at least one chunk; null once the stream is over. While nobody asks, nothing is
   * read from the network but what is on its way.
   * @throws ServiceError
   */
  next(): Promise<readonly Chunk[] | null>;
  /** Lets go of the service. */
  end(): void;
}

/**
 * What has come, until it is read by one who waits for it, or asks later.
 * @param served nobody waits any more
 */
function createMailbox<T>(served: () => void) {
  let items: T[] = [];
  let reader: PromiseWithResolvers<readonly T[] | null> | null = null;
  let over: { readonly failure: ServiceError | null } | null = null;
  const look = (): void => {
    if (reader === null || (items.length === 0 && over === null)) return;
    served();
    if (items.length > 0) reader.resolve(items);
    else if (over?.failure) reader.reject(over.failure);
    else reader.resolve(null);
    items = [];
    reader = null;
  };
  return {
    put: (item: T): void => void items.push(item),
    /** Gives what was put to the reader; false where there is none. */
    deliver(): boolean {
      const isAwaited = reader !== null;
      look();
      return isAwaited;
    },
    close(failure: ServiceError | null): void {
      over ??= { failure };
      look();
    },
    take(): Promise<readonly T[] | null> {
      reader = Promise.withResolvers();
      const { promise } = reader;
      look();
      return promise;
    },
  };
}

/** Asks a service. Its failures are given to the reader. The watchdog is the reply's: it goes on with the next attempt. */
export function openStream(
  service: Service,
  request: ServiceRequest,
  signal: AbortSignal,
  watchdog: Watchdog,
): ChunkStream {
  let isComplete = false;
  const mailbox = createMailbox<Chunk>(() => watchdog.rest());
  const asked = createAbandonable({ signal, watchdog, what: "reply", givenUp: (why) => mailbox.close(why) });
  const read = createChunkReader((chunk) => {
    if (chunk.isProgress) watchdog.heard();
    mailbox.put(chunk);
    if (chunk.isLast) mailbox.close(null);
  });
  dispatch(service, request, {
    begun: asked.begun,
    data(bytes) {
      read(bytes);
      if (!mailbox.deliver()) asked.pause();
    },
    over(failure) {
      isComplete = true;
      mailbox.close(failure);
    },
  });
  return {
    next() {
      watchdog.wait();
      const next = mailbox.take();
      asked.resume();
      return next;
    },
    end() {
      asked.release();
      if (!isComplete) asked.stop();
    },
  };
}
