/** The most requests of one key that wait, including the one that is being answered. */
const mostWaiting = 8;

/** The work of a key, and the answer where too much waits. */
type QueuedWork = Readonly<Record<"work" | "refuse", () => Promise<void>>>;

/** Runs the work of each key one after the other. The work must not reject. */
export function createQueues(begin: () => () => void): (key: string, work: QueuedWork) => void {
  const queues = new Map<string, { last: Promise<void>; count: number }>();
  /** Begins with `work` when its turn has come; with `refuse` immediately, where too much waits. */
  return (key: string, { work, refuse }: QueuedWork): void => {
    const queue = queues.get(key) ?? { last: Promise.resolve(), count: 0 };
    queues.set(key, queue);
    queue.count += 1;
    const over = begin();
    const leave = (): void => {
      over();
      queue.count -= 1;
      if (queue.count === 0) queues.delete(key);
    };
    if (queue.count > mostWaiting) void refuse().finally(leave);
    else queue.last = queue.last.then(work).finally(leave);
  };
}
