import type { Budget } from "../link/budget.ts";

/** Messages of an account that are on their way to the inbox, and their characters, after which its connections are read no more. */
const most = { messages: 256, characters: 32 * 2 ** 20 } as const;

/** A source that can be paused. */
interface Readable {
  pause(): void;
  resume(): void;
}

/** Reads no more while too much waits, so that a flood takes no memory without bound and loses nothing. */
interface Flow {
  /** Something of this size is on its way until the promise settles. */
  hold(size: number, done: Promise<void>): void;
}

/** @param waiting what waits of all accounts: when that is used up, an account that has something on its way is not read either */
export function createFlow(source: Readable, waiting: Budget): Flow {
  let [count, characters, isFull] = [0, 0, false];
  const look = (): void => {
    const wasFull = isFull;
    isFull = count >= most.messages || characters >= most.characters || (count > 0 && waiting.isUsedUp);
    // Read each time, because the connection may be a new one.
    if (isFull) source.pause();
    else if (wasFull) source.resume();
  };
  return {
    hold(size, done) {
      count += 1;
      characters += size;
      waiting.take(size);
      look();
      void done.finally(() => {
        count -= 1;
        characters -= size;
        waiting.give(size);
        look();
      });
    },
  };
}
