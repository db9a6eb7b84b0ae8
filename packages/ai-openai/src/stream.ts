import type { Dispatcher } from "undici";
import type { Chunk } from "./chunk.ts";
import { createChunkReader } from "./chunks.ts";
import { dispatch, type Service, type ServiceRequest } from "./request.ts";
import { ServiceError } from "./service-error.ts";
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

/** Lets go of a connection, once: now, or when there is one. */
function createLeave(left: (why: ServiceError) => void) {
  let controller: Dispatcher.DispatchController | null = null;
  let reason: ServiceError | null = null;
  return {
    leave(why: ServiceError): void {
      reason ??= why;
      controller?.abort(why);
      left(why);
    },
    begun: (connection: Dispatcher.DispatchController): void => {
      controller = connection;
      if (reason !== null) connection.abort(reason);
    },
    pause: () => controller?.pause(),
    resume: () => controller?.resume(),
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
  const connection = createLeave((why) => mailbox.close(why));
  watchdog.onLate(() => connection.leave(new ServiceError("The AI service does not go on.")));
  const read = createChunkReader((chunk) => {
    if (chunk.isProgress) watchdog.heard();
    mailbox.put(chunk);
    if (chunk.isLast) mailbox.close(null);
  });
  const stop = (): void => connection.leave(new ServiceError("The reply is not wanted any more."));
  signal.addEventListener("abort", stop, { once: true });
  dispatch(service, request, {
    begun: connection.begun,
    data(bytes) {
      read(bytes);
      if (!mailbox.deliver()) connection.pause();
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
      connection.resume();
      return next;
    },
    end() {
      signal.removeEventListener("abort", stop);
      if (!isComplete) stop();
    },
  };
}
