/** Maximum bytes in transit to NATS. More is lost, so that a slow server of NATS cannot fill the memory. */
const most = 32 * 2 ** 20;

/** The bytes in transit to NATS. */
export interface Window {
  /** True if this many more bytes may be published. */
  readonly hasRoom: (bytes: number) => boolean;
  /** Adds published bytes. */
  readonly add: (bytes: number) => void;
}

/** @param flush resolves when NATS has received all bytes that were published before the call */
export function createWindow(flush: () => Promise<void>): Window {
  let waiting = 0;
  let isFlushing = false;
  const watch = async (): Promise<void> => {
    isFlushing = true;
    while (waiting > 0) {
      const covered = waiting;
      // If the connection breaks, the bytes in transit are lost.
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
