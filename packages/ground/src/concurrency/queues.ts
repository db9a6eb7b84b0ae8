/** Maximum requests of one key in the queue, including the one in progress. */
const mostWaiting = 8;

/** The work of a key, and the response if the queue is full. */
type QueuedWork = Readonly<Record<"work" | "refuse", () => Promise<void>>>;

/** Runs the work of each key sequentially. The work must not reject. */
export function createQueues(begin: () => () => void): (key: string, work: QueuedWork) => void {
  const queues = new Map<string, { last: Promise<void>; count: number }>();
  /** Runs `work` when its turn has come, or `refuse` immediately if the queue is full. */
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
