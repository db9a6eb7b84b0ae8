/** Messages on their way to the inbox after which the connections are read no more. */
const fullAt = 256;

/** What can be read, or not. */
interface Readable {
  pause(): void;
  resume(): void;
}

/** Reads no more while too much waits, so that a flood takes no memory without bound and loses nothing. */
export function createFlow(source: Readable, waiting: () => number): () => void {
  let isFull = false;
  return () => {
    const wasFull = isFull;
    isFull = waiting() >= fullAt;
    if (isFull && !wasFull) source.pause();
    if (wasFull && !isFull) source.resume();
  };
}
