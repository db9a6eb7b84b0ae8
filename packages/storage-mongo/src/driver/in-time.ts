import { MongoNetworkTimeoutError } from "mongodb";

/**
 * Waits for the driver, but not indefinitely. If a connection has closed and the driver (7.9) has not noticed, it writes a command to the
 * closed socket and waits for its event `drain`, which never comes. No time-out of the driver ends this wait.
 * @param time milliseconds
 * @param work may continue in the background if it takes longer
 * @throws MongoNetworkTimeoutError after `time`: the outcome of the work is unknown
 */
export async function inTime<Result>(time: number, work: Promise<Result>): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new MongoNetworkTimeoutError("The driver did not complete a command in time."));
  }, time);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads item by item, and waits for each as in {@link inTime}. The time that the reader takes does not count. */
export async function* eachInTime<Item>(time: number, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      const next = await inTime(time, iterator.next());
      isOver = next.done === true;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // It may wait for the read that has not ended.
    if (!isOver) void iterator.return?.().catch(() => undefined);
  }
}
