/** What an {@link createInbox inbox} needs. */
export interface InboxOptions<T> {
  readonly use: (item: T) => Promise<void> | void;
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

  const step = async (using: Promise<void>): Promise<void> => {
    isBusy = true;
    try {
      await using;
    } catch (cause) {
      return failed(cause);
    }
    isBusy = false;
    run();
  };
  /** @returns whether the next item can be used */
  const isUsed = (item: T): boolean => {
    try {
      const using = use(item);
      if (!(using instanceof Promise)) return true;
      void step(using);
    } catch (cause) {
      isBusy = true;
      failed(cause);
    }
    return false;
  };
  const run = (): void => {
    if (isBusy) return;
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) if (!isUsed(item)) return;
    if (atEnd === null) idle();
    else atEnd();
  };
  return {
    /** Items that wait. */
    get size() {
      return waiting.length;
    },
    put: (item: T): void => {
      if (atEnd !== null) return;
      waiting.push(item);
      run();
    },
    /** Forgets what waits, takes nothing more, and calls `ended` once the item in use has been used. */
    end: (ended: () => void): void => {
      atEnd = ended;
      waiting.length = 0;
      run();
    },
  };
}
