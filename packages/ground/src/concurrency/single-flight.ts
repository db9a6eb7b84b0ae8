/** Work by key: calls during work with the same key share its result. */
interface SingleFlight<Result> {
  readonly has: (key: string) => boolean;
  readonly run: (key: string, work: () => Promise<Result>) => Promise<Result>;
}

/** Creates a {@link SingleFlight}. A failure is shared as well, and the next call starts again. */
export function createSingleFlight<Result>(): SingleFlight<Result> {
  const flights = new Map<string, Promise<Result>>();
  return {
    has: (key) => flights.has(key),
    run(key, work) {
      const running = flights.get(key);
      if (running !== undefined) return running;
      const flight = work().finally(() => flights.delete(key));
      flights.set(key, flight);
      return flight;
    },
  };
}
