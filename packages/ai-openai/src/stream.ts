import { createAbandonable } from "./abandonable.ts";
import type { Chunk } from "./chunk.ts";
import { createChunkReader } from "./chunks.ts";
import { dispatch, type Service, type ServiceRequest } from "./request.ts";
import type { ServiceError } from "./service-error.ts";
import type { Watchdog } from "./watchdog.ts";

/** One request and the stream of its response. */
export interface ChunkStream {
  /**
   * All chunks that arrived and were not read, at least one; null after the end of the stream. Between calls, the network is
   * not read any further.
   * @throws ServiceError
   */
  next(): Promise<readonly Chunk[] | null>;
  /** Ends the request. */
  end(): void;
}

/**
 * Stores arrived values until the reader takes them.
 * @param served called when the reader stops waiting
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
    /** Passes the stored values to a waiting reader; false if there is no reader. */
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

/** Sends a request. Its failures reach the reader. The watchdog belongs to the reply and continues with the next attempt. */
export function openStream(
  service: Service,
  request: ServiceRequest,
  signal: AbortSignal,
  watchdog: Watchdog,
): ChunkStream {
  let isComplete = false;
  const mailbox = createMailbox<Chunk>(() => watchdog.rest());
  const call = createAbandonable({ signal, watchdog, what: "reply", givenUp: (why) => mailbox.close(why) });
  const read = createChunkReader((chunk) => {
    if (chunk.isProgress) watchdog.heard();
    mailbox.put(chunk);
    if (chunk.isLast) mailbox.close(null);
  });
  dispatch(service, request, {
    begun: call.begun,
    data(bytes) {
      read(bytes);
      if (!mailbox.deliver()) call.pause();
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
      call.resume();
      return next;
    },
    end() {
      call.release();
      if (!isComplete) call.stop();
    },
  };
}
