/** Bytes that all connections hold together. */
export interface Budget {
  /** True while no more should be held. */
  readonly isUsedUp: boolean;
  /** Adds to the held bytes. */
  take(bytes: number): void;
  give(bytes: number): void;
}

/** @param most bytes */
export function createBudget(most: number): Budget {
  let held = 0;
  return {
    get isUsedUp() {
      return held >= most;
    },
    take: (bytes) => void (held += bytes),
    give: (bytes) => void (held -= bytes),
  };
}

/** The part of a connection's next frame that has arrived. */
export interface UnfinishedFrame {
  came(bytes: number): void;
  /** Counts bytes of a ping or a pong, which are not held. */
  handled(bytes: number): void;
  /** Called when the frame is complete. */
  finished(): void;
}

/** The unfinished frames of all connections. */
interface UnfinishedFrames {
  /** @param cut cuts the connection: called if all connections hold too much, and this one the most */
  open(cut: () => void): UnfinishedFrame;
}

/** @param most bytes of all connections together */
export function createUnfinishedFrames(most: number): UnfinishedFrames {
  const budget = createBudget(most);
  const sizes = new Map<() => void, number>();
  const set = (cut: () => void, size: number): void => {
    budget.give(sizes.get(cut) ?? 0);
    budget.take(size);
    if (size === 0) sizes.delete(cut);
    else sizes.set(cut, size);
  };
  const cutFullest = (): void => {
    let fullest: (() => void) | null = null;
    for (const [cut, size] of sizes) if (size > (fullest === null ? 0 : (sizes.get(fullest) ?? 0))) fullest = cut;
    if (fullest === null) return;
    set(fullest, 0);
    fullest();
  };
  return {
    open: (cut) => ({
      came(bytes) {
        set(cut, (sizes.get(cut) ?? 0) + bytes);
        if (budget.isUsedUp) cutFullest();
      },
      handled: (bytes) => set(cut, Math.max(0, (sizes.get(cut) ?? 0) - bytes)),
      finished: () => set(cut, 0),
    }),
  };
}
