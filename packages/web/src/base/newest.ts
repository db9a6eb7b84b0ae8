/** Sends requests, and ignores all responses except that to the newest request. */
export function createNewest() {
  let newest = 0;
  return async <T>(
    request: () => Promise<T>,
    receive: (result: T) => void,
    fail: (error: unknown) => void,
  ): Promise<void> => {
    const number = (newest += 1);
    const isNewest = (): boolean => number === newest;
    await request().then(
      (result) => isNewest() && receive(result),
      (error: unknown) => isNewest() && fail(error),
    );
  };
}
