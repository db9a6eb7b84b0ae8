import type { Budget } from "../link/budget.ts";

/** Messages of an account on their way to the inbox, and their characters, above which its connections are not read. */
const most = { messages: 256, characters: 32 * 2 ** 20 } as const;

/** A source that can be paused. */
interface Readable {
  pause(): void;
  resume(): void;
}

/** Pauses reading while too much waits, so that a flood takes bounded memory and loses nothing. */
interface Flow {
  /** Counts a message of this size until the promise settles. */
  hold(size: number, done: Promise<void>): void;
}

/** @param waiting the budget of all accounts: when it is used up, an account that has messages on their way is not read either */
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
