/** Makes requests of which only the newest counts: what an earlier one brings later is dropped. */
export function createNewest() {
  let newest = 0;
  return async <T>(
    request: () => Promise<T>,
    receive: (result: T) => void,
    fail: (error: unknown) => void,
  ): Promise<void> => {
    const own = (newest += 1);
    const isNewest = (): boolean => own === newest;
    await request().then(
      (result) => isNewest() && receive(result),
      (error: unknown) => isNewest() && fail(error),
    );
  };
}
