/** Sends requests, and drops the responses of all but the newest. */
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
