interface InboxOptions<T> {
  readonly use: (item: T) => Promise<void>;
  /** Called when all items have been processed. */
  readonly idle: () => void;
  /** Called when processing an item failed. No further item is processed. */
  readonly failed: (cause: unknown) => void;
}

/** Processes items in order, one at a time. */
export function createInbox<T>({ use, idle, failed }: InboxOptions<T>) {
  const waiting: T[] = [];
  let isBusy = false;
  let atEnd: (() => void) | null = null;

  const run = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    try {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await use(item);
    } catch (cause) {
      return failed(cause);
    }
    isBusy = false;
    (atEnd ?? idle)();
  };
  return {
    /** The number of waiting items. */
    get size() {
      return waiting.length;
    },
    put: (item: T): void => {
      if (atEnd !== null) return;
      waiting.push(item);
      void run();
    },
    /** Drops the waiting items, accepts no more, and calls `ended` after the current item. */
    end: (ended: () => void): void => {
      atEnd = ended;
      waiting.length = 0;
      void run();
    },
  };
}
