/** What an {@link createInbox inbox} needs. */
interface InboxOptions<T> {
  readonly use: (item: T) => Promise<void>;
  /** Everything that came has been used. */
  readonly idle: () => void;
  /** An item could not be used: no other one follows. */
  readonly failed: (cause: unknown) => void;
}

/** Hands items over in order, each when the one before has been used. */
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
    /** Items that wait. */
    get size() {
      return waiting.length;
    },
    put: (item: T): void => {
      if (atEnd !== null) return;
      waiting.push(item);
      void run();
    },
    /** Forgets what waits, takes nothing more, and calls `ended` once the item in use has been used. */
    end: (ended: () => void): void => {
      atEnd = ended;
      waiting.length = 0;
      void run();
    },
  };
}
