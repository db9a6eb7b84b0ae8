/** Bytes that may be on their way to NATS: more than a slow server of NATS takes is lost instead of filling the memory. */
const most = 32 * 2 ** 20;

/** What was published and has not reached NATS yet. */
export interface Window {
  /** True if this many bytes more may be published. */
  readonly hasRoom: (bytes: number) => boolean;
  /** These bytes were published. */
  readonly add: (bytes: number) => void;
}

/**
 * Nothing is on its way yet.
 * @param flush resolves when NATS has what was published before
 */
export function createWindow(flush: () => Promise<void>): Window {
  let waiting = 0;
  let isFlushing = false;
  const watch = async (): Promise<void> => {
    isFlushing = true;
    while (waiting > 0) {
      const covered = waiting;
      // When the connection breaks, what was on its way is lost.
      await flush().catch(() => {});
      waiting -= covered;
    }
    isFlushing = false;
  };
  return {
    hasRoom: (bytes) => waiting + bytes <= most,
    add(bytes) {
      waiting += bytes;
      if (!isFlushing) void watch();
    },
  };
}
