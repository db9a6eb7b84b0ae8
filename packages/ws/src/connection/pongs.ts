import type { Clock } from "@telex/core";

/** Answers to pings that somebody waits for. */
export interface Pongs {
  /** Resolves with true when a pong comes within `wait` milliseconds. */
  next(wait: number): Promise<boolean>;
  /** A pong has come. */
  readonly came: () => void;
  /** None will come any more. */
  readonly end: () => void;
}

/** Nobody waits yet. */
export function createPongs(clock: Clock): Pongs {
  const waiting = new Set<(came: boolean) => void>();
  const tell = (came: boolean): void => {
    for (const resolve of waiting) resolve(came);
    waiting.clear();
  };
  return {
    next: (wait) =>
      new Promise((resolve) => {
        const answer = (came: boolean): void => {
          cancel();
          waiting.delete(answer);
          resolve(came);
        };
        const cancel = clock.after(wait, () => answer(false));
        waiting.add(answer);
      }),
    came: () => tell(true),
    end: () => tell(false),
  };
}
